/** Buffers call by call: parts, edits, and which callback has which. */
import type { ProbeCase, ProbeRequest, ProbeSuite } from "../probe.ts";

/** A case of one request with a script. */
function scripted(
  id: string,
  what: string,
  shows: readonly number[],
  script: string,
  request: ProbeRequest = {},
): ProbeCase {
  return { id, what, shows, run: async (host) => void (await host.ask({ ...request, script })) };
}

const post: ProbeRequest = { frames: ["0123456789"] };
const types = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const reads = types.map((type) => `get ${type} 0 100; bufstatus ${type}`).join("; ");
const edits = types.map((type) => `set ${type} 0 0 x`).join("; ");

export const suite: ProbeSuite = {
  name: "buffers",
  what: "Buffers call by call.",
  plugins: [
    {
      name: "A",
      vmConfiguration: "the VM's",
      configuration: `start: get 6 0 100; get 7 0 3; get 8 0 100
        configure: get 6 0 100; get 7 0 9; get 7 3 4; bufstatus 6; get 8 0 5; set 7 0 0 x; set 6 0 0 x; get 0 0 9; set 0 0 0 x; get 4 0 9; get 5 0 9`,
    },
  ],
  cases: [
    scripted(
      "parts",
      "Parts of a body; what lies beyond the end is nothing.",
      [17],
      "request_body#1: get 0 0 10; get 0 2 3; get 0 5 100; get 0 5 4294967295; get 0 10 1; get 0 11 1; get 0 4294967295 1; get 0 0 0; get 0 4294967295 4294967295; bufstatus 0",
      post,
    ),
    scripted(
      "prepend-and-append",
      "Putting something before and behind.",
      [17],
      "request_body#1: set 0 0 0 <<; get 0 0 100; set 0 12 0 >>; get 0 0 100; set 0 4294967295 7 !; get 0 0 100; set 0 0 0 ~; set 0 100 0 ~; get 0 0 100; bufstatus 0",
      post,
    ),
    scripted(
      "replace",
      "Replacing the first bytes, and all of them.",
      [17],
      "request_body#1: set 0 0 4 ab; get 0 0 100; set 0 0 1 ~; get 0 0 100; set 0 0 7 whole; get 0 0 100; set 0 0 4294967295 all; get 0 0 100; set 0 0 3 ~; get 0 0 100; bufstatus 0; set 0 0 5 new; set 0 1 0 x; get 0 0 100; set 0 3 0 +; get 0 0 100",
      post,
    ),
    scripted(
      "middle",
      "Nothing can be put into the middle.",
      [17],
      "request_body#1: set 0 1 0 x; set 0 9 1 x; set 0 5 4294967295 x; get 0 0 100; set 0 10 0 x; get 0 0 100",
      post,
    ),
    scripted(
      "empty-last-frame",
      "The empty last frame takes what is added to it.",
      [46, 17],
      "request_body#2: bufstatus 0; get 0 0 9; set 0 0 0 a; get 0 0 9; set 0 5 0 b; get 0 0 9; set 0 1 0 c; bufstatus 0 | request_body#1: return 0",
      post,
    ),
    scripted(
      "every-type-in-headers",
      "Every type of buffer in request_headers.",
      [18, 19],
      `request_headers: ${reads}; ${edits}`,
    ),
    scripted(
      "every-type-in-body",
      "Every type of buffer in request_body.",
      [18, 19],
      `request_body#1: ${reads}; get 6 0 9; set 8 0 0 x; get 0 0 100; set 8 0 0 y; get 0 0 100`,
      post,
    ),
    scripted(
      "call-data-shows-the-last-buffer",
      "The buffer of call data is the one that was looked at last.",
      [18],
      "request_headers: get 8 0 9; get 6 0 9; get 8 0 100; get 0 0 9; get 8 0 100 | request_body#1: get 0 0 4; get 8 0 4; set 8 0 2 zz; get 0 0 100; get 7 0 9; get 8 0 4",
      post,
    ),
    scripted(
      "answer-body",
      "An answer's body is another buffer.",
      [],
      "response_headers: get 1 0 9; set 1 0 0 x | response_body#1: get 1 0 9; get 0 0 9; set 0 0 0 x; set 1 0 1 K; set 1 9 0 !; get 1 0 9; bufstatus 1 | response_body#2: bufstatus 1; set 1 0 0 end",
    ),
    scripted(
      "after-the-body",
      "A body is gone when its callback is over.",
      [18],
      "request_body: return 0 | request_trailers: get 0 0 9; set 0 0 0 x; bufstatus 0 | response_headers: get 0 0 9; set 0 0 0 x; get 1 0 9 | response_trailers: get 1 0 9; set 1 0 0 x | log: get 0 0 9; get 1 0 9; set 0 0 0 x; get 6 0 9; get 7 0 9 | done: get 0 0 9; get 6 0 9",
      { ...post, trailers: [["x-t", "1"]], upstream: { frames: ["ok"], trailers: [["x-t", "2"]] } },
    ),
    scripted(
      "held-body",
      "A body that is held is seen whole and edited as one, in the trailers too.",
      [9],
      "request_body: bufstatus 0; get 0 0 100; return 1 | request_trailers: get 0 0 100; set 0 0 3 THREE; set 0 100 0 !; get 0 0 100",
      { frames: ["one", "two"], trailers: [["x-t", "1"]] },
    ),
    scripted(
      "held-body-edited-between",
      "An edit of what is held stays when more comes.",
      [9],
      "request_body#1: set 0 0 3 1; return 1 | request_body#2: get 0 0 100; set 0 0 1 one; return 1 | request_body#3: get 0 0 100; return 0",
      { frames: ["one", "two"] },
    ),
    scripted(
      "bad-memory",
      "Data out of bounds; the type and the buffer are looked at before it.",
      [],
      "request_body#1: set 0 0 0 ^outside; set 9 0 0 ^outside; set 4 0 0 ^outside; set 6 0 0 ^outside; set 0 5 0 ^outside; get 0 0 100",
      post,
    ),
    scripted(
      "reply-body",
      "The body of a reply of its own passes the plugin, which may change it.",
      [20],
      "request_headers: reply 200 hello | response_body: get 1 0 9; set 1 0 5 HELLO; get 1 0 9",
    ),
    scripted(
      "large",
      "A body of many bytes, and a large replacement.",
      [],
      "request_body#1: set 0 0 4294967295 xyz*20000; bufstatus 0; get 0 59998 9; return 0",
      post,
    ),
  ],
};
