import { beforeAll, expect, test } from "vitest";
import { MockEnvoy } from "../../../host-mock/envoy/mock-envoy.ts";
import { linesOf, rawGuest } from "./guests.ts";

let guest: Uint8Array;

beforeAll(async () => {
  guest = await rawGuest("property");
});

function envoyWith(profile = "envoy", count = 1): MockEnvoy {
  const plugins = Array.from({ length: count }, (_, index) => ({
    name: `p${index}`,
    wasm: guest,
    rootId: "the-root",
    vmId: `vm${index}`,
  }));
  return new MockEnvoy({ profile, node: { id: "n1", cluster: "c1" }, plugins });
}

/** "status" or "0:hex", as text where it can be. */
function read(
  envoy: MockEnvoy,
  paths: string,
  extra: Readonly<Record<string, string>> = {},
  body?: string,
): (string | undefined)[] {
  const answer = envoy.thread("worker_0").request({
    path: "/shop/cart?item=1&b=2",
    headers: [
      ["host", "shop.example"],
      ["user-agent", "tester"],
      ["x-request-id", "id-1"],
      ["x-a", "1"],
      ["x-a", "2"],
      ...Object.entries(extra),
      ["x-get", paths],
    ],
    ...(body === undefined ? {} : { body }),
  });
  return answer
    .text()
    .split(",")
    .map((text) =>
      text.startsWith("0:") ? Buffer.from(text.slice(2), "hex").toString("latin1") : text,
    );
}

const u64 = (value: number) =>
  Buffer.from(new BigUint64Array([BigInt(value)]).buffer).toString("latin1");

test("plugin and node are readable with a stream and on the root", () => {
  const paths = "plugin_name,plugin_root_id,plugin_vm_id,xds/node/id,xds/node/cluster";

  const onStream = read(envoyWith(), paths);
  const onRoot = read(envoyWith(), paths, { "x-root": "1" });

  expect(onStream).toEqual(["p0", "the-root", "vm0", "n1", "c1"]);
  expect(onRoot).toEqual(onStream);
});

test("a root_id that was not given is empty, not absent", () => {
  const envoy = new MockEnvoy({ plugins: [{ name: "p", wasm: guest }] });

  expect(read(envoy, "plugin_root_id,plugin_vm_id")).toEqual(["", ""]);
});

test("request attributes are derived from the headers", () => {
  const paths =
    "request/path,request/url_path,request/query,request/host,request/method,request/scheme,request/id," +
    "request/useragent,request/protocol,request/headers/x-a,request/headers/X-A";

  expect(read(envoyWith(), paths)).toEqual(
    [
      "/shop/cart?item=1&b=2",
      "/shop/cart",
      "item=1&b=2",
      "shop.example",
      "GET",
      "http",
      "id-1",
      "tester",
      "HTTP/1.1",
      "1",
    ].flatMap((value, index) => (index < 9 ? [value] : ["1,2", "1,2"])),
  );
});

test("numbers are eight bytes, a bool is one, an empty value is Ok", () => {
  const paths =
    "request/size,connection/mtls,connection/id,connection/requested_server_name,xds/listener_direction";

  expect(read(envoyWith(), paths)).toEqual([u64(0), "\0", u64(1), "", u64(0)]);
});

test("what does not exist is NotFound, groups and the empty path cannot be serialised", () => {
  const paths = "nope,request/nope,request.path,request/headers/nope,response/code,request,xds,";

  expect(read(envoyWith(), paths)).toEqual(["1", "1", "1", "1", "1", "3", "3", "3"]);
});

test("the root has no stream attributes", () => {
  expect(
    read(envoyWith(), "request/path,connection/id,xds/listener_direction", { "x-root": "1" }),
  ).toEqual(["1", "1", "1"]);
});

test("once the headers went on, what is read from them is NotFound; the rest is not", () => {
  const values = read(
    envoyWith(),
    "request/path,request/headers/x-a,request/protocol,plugin_name",
    { "x-when": "body" },
    "b",
  );

  expect(values).toEqual(["1", "1", "HTTP/1.1", "p0"]);
});

test("old names exist on higress only, new ones on envoy only", () => {
  const paths = "node/id,node/cluster,xds/node/id";

  expect(read(envoyWith(), paths)).toEqual(["1", "1", "n1"]);
  expect(read(envoyWith("higress"), paths)).toEqual(["n1", "c1", "1"]);
});

test("the whole node is a protobuf message", () => {
  expect(read(envoyWith(), "xds/node")).toEqual([
    "\x0a\x02n1\x12\x02c1\x32\x05envoy\x42\x06\x0a\x04\x08\x01\x10\x28",
  ]);
});

test("a property that a plugin sets is there for itself and the plugins after it, in that stream alone", () => {
  const envoy = envoyWith("envoy", 2);
  const worker = envoy.thread("worker_0");
  const own = read(envoy, "mine,filter_state/wasm.mine", { "x-set": "mine=v" });

  const next = worker.request({ headers: { "x-get": "mine" } });

  expect(own).toEqual(["v", "v"]);
  expect(next.text()).toBe("1");
});

test("setting an attribute answers Ok and changes nothing; a path of several parts cannot be read back", () => {
  const envoy = envoyWith();

  const attribute = read(envoy, "request/path", { "x-set": "request/path=changed" });
  const parts = read(envoy, "a/b", { "x-set": "a/b=v" });

  expect(linesOf(envoy)).toEqual(["set=0", "set=0"]);
  expect(attribute).toEqual(["/shop/cart?item=1&b=2"]);
  expect(parts).toEqual(["1"]);
});

test("request.time is the wall clock's, jumps included; a later jump does not change it", () => {
  const envoy = envoyWith();
  envoy.advance("1s");
  envoy.shiftWallClock("+1h");

  const [time] = read(envoy, "request/time");
  const slow = envoy.thread("worker_0");
  slow.pause("2s");
  const late = slow.request({ headers: { "x-get": "request/time" } });
  envoy.advance("5s");

  const start = Date.parse("2026-01-01T01:00:00Z");
  expect(time).toBe(u64((start + 1000) * 1e6));
  const lateTime = Buffer.from(late.text().slice(2), "hex").toString("latin1");
  expect(lateTime).toBe(u64((start + 3000) * 1e6));
});

test("a test's values stand before everything else, the request's before the listener's, for exactly their paths", () => {
  const envoy = new MockEnvoy({
    plugins: [{ name: "p", wasm: guest }],
    listeners: {
      main: {
        properties: {
          "connection.tls_version": "TLSv1.3",
          "connection.mtls": true,
          "source.port": 7,
          "source.address": null,
          "metadata\0filter_metadata\0envoy.lb\0canary": 0.5,
        },
      },
    },
  });
  const paths =
    "connection/tls_version,connection/mtls,source/port,source/address,metadata/filter_metadata/envoy.lb/canary,connection,metadata/filter_metadata/envoy.lb";
  const ask = (properties?: Record<string, number>) =>
    envoy
      .thread("worker_0")
      .request({ headers: { "x-get": paths }, ...(properties && { properties }) })
      .text()
      .split(",");

  expect(ask()).toEqual([
    `0:${Buffer.from("TLSv1.3").toString("hex")}`,
    "0:01",
    "0:0700000000000000",
    "1",
    "0:000000000000e03f",
    "3",
    "1",
  ]);
  expect(ask({ "source.port": 8 })[2]).toBe("0:0800000000000000");
});

test.each([
  ["an object", { a: {} }],
  ["undefined", { a: undefined }],
  ["an empty path", { "": "x" }],
])("what is no value for a property is refused: %s", (_what, properties) => {
  const request = () =>
    envoyWith()
      .thread("worker_0")
      .request({ properties: properties as unknown as Record<string, string> });

  expect(request).toThrow("has no value for a property");
});

test("a listener's names are those of its streams; a direct response has no cluster", () => {
  const envoy = new MockEnvoy({
    plugins: [{ name: "p", wasm: guest }],
    listeners: {
      main: {
        routeName: "r",
        virtualHostName: "v",
        filterChainName: "f",
        clusterName: "c",
        direction: "outbound",
      },
      direct: { directResponse: { status: 200 } },
    },
  });
  const paths =
    "xds/route_name,xds/virtual_host_name,xds/filter_chain_name,xds/cluster_name,xds/listener_direction";
  const ask = (listener: string) =>
    envoy
      .thread("worker_0")
      .request({ listener, headers: { "x-get": paths } })
      .text();
  const hex = (text: string) => `0:${Buffer.from(text, "latin1").toString("hex")}`;

  expect(ask("main")).toBe([...["r", "v", "f", "c"].map(hex), hex(u64(2))].join(","));
  expect(ask("direct")).toBe([hex(""), hex("all"), hex(""), "1", hex(u64(0))].join(","));
});

test("higress has the route's old names, and fewer under xds", () => {
  const paths = "route_name,cluster_name,listener_direction,xds/cluster_name,xds/virtual_host_name";

  expect(read(envoyWith("higress"), paths)).toEqual(["", "upstream", u64(0), "upstream", "1"]);
  expect(
    read(envoyWith("higress"), "listener_direction,cluster_name,xds", { "x-root": "1" }),
  ).toEqual([u64(0), "1", "1"]);
});
