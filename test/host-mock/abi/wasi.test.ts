import { describe, expect, it } from "vitest";
import { hostSignatures } from "../../../host-mock/abi/signatures.ts";
import { latin1, utf8 } from "../../../host-mock/state/bytes.ts";
import { FakeGuest, outOfBounds } from "../../support/fake-guest.ts";

const success = 0;
const badFile = 8;
const fault = 21;
const invalid = 28;
const notImplemented = 52;
const notSupported = 58;

/** An array of (pointer, length) words for these pieces. */
function iovecs(guest: FakeGuest, ...pieces: readonly string[]): [number, number] {
  const words = new Uint32Array(pieces.flatMap((piece) => guest.put(piece)));
  return [guest.put(new Uint8Array(words.buffer))[0], pieces.length];
}

function lines(guest: FakeGuest): string[] {
  return guest.recorder.events.map(
    ({ name, args }) => `${name} ${latin1(args["message"] as Uint8Array)}`,
  );
}

describe("fd_write", () => {
  it.each([
    [1, "info"],
    [2, "error"],
  ])("to %i is one line at %s for all iovecs, and counts every byte", (fd, level) => {
    const guest = new FakeGuest();
    const written = guest.out();

    const errno = guest.call("fd_write", fd, ...iovecs(guest, "one ", "", "two\n"), written);

    expect(errno).toBe(success);
    expect(lines(guest)).toEqual([`${level} one two`]);
    expect(guest.u32(written)).toBe(8);
    expect(guest.strayWrites()).toEqual([]);
  });

  it("takes exactly one newline off", () => {
    const guest = new FakeGuest();

    guest.call("fd_write", 1, ...iovecs(guest, "a\nb\n\n"), guest.out());
    guest.call("fd_write", 1, ...iovecs(guest, "\n"), guest.out());

    expect(lines(guest)).toEqual(["info a\nb\n", "info "]);
  });

  it("of nothing logs nothing and writes a count of 0", () => {
    const guest = new FakeGuest();
    const written = guest.out();

    const errnos = [
      guest.call("fd_write", 1, 0, 0, written),
      guest.call("fd_write", 1, ...iovecs(guest, ""), written),
    ];

    expect(errnos).toEqual([success, success]);
    expect(guest.u32(written)).toBe(0);
    expect(lines(guest)).toEqual([]);
  });

  it.each([0, 3, 0xffffffff])("to %i is a bad file", (fd) => {
    const guest = new FakeGuest();

    expect(guest.call("fd_write", fd, ...iovecs(guest, "x"), guest.out())).toBe(badFile);
    expect(lines(guest)).toEqual([]);
  });

  it("faults for iovecs, pieces and counts out of bounds; the line is written before the last is seen", () => {
    const guest = new FakeGuest();
    const [badPiece] = guest.put(new Uint8Array(new Uint32Array([outOfBounds, 9]).buffer));

    expect(guest.call("fd_write", 1, outOfBounds, 1, 0)).toBe(fault);
    expect(guest.call("fd_write", 1, badPiece, 1, 0)).toBe(fault);
    expect(lines(guest)).toEqual([]);
    expect(guest.call("fd_write", 1, ...iovecs(guest, "x"), outOfBounds)).toBe(fault);
    expect(lines(guest)).toEqual(["info x"]);
  });

  it("fd_pwrite does the same, whatever the offset", () => {
    const guest = new FakeGuest();
    const written = guest.out();

    expect(guest.call("fd_pwrite", 2, ...iovecs(guest, "x\n"), 99n, written)).toBe(success);
    expect(lines(guest)).toEqual(["error x"]);
    expect(guest.u32(written)).toBe(2);
  });
});

describe("the environment", () => {
  const environment: (readonly [string, string])[] = [
    ["KEY", "value"],
    ["é", ""],
  ];

  it("has sizes of key, value and 2 more for each", () => {
    const guest = new FakeGuest();
    guest.environment = environment;
    const [count, size] = [guest.out(), guest.out()];

    expect(guest.call("environ_sizes_get", count, size)).toBe(success);
    expect([guest.u32(count), guest.u32(size)]).toEqual([2, 3 + 5 + 2 + (2 + 0 + 2)]);
  });

  it("comes as addresses and KEY=VALUE with a NUL behind each", () => {
    const guest = new FakeGuest();
    guest.environment = environment;
    const [array, buffer] = [guest.out(8), guest.out(14)];

    expect(guest.call("environ_get", array, buffer)).toBe(success);
    expect(latin1(guest.memory.readBytes(buffer, 14)!)).toBe(`KEY=value\0${latin1(utf8("é"))}=\0`);
    expect([guest.u32(array), guest.u32(array + 4)]).toEqual([buffer, buffer + 10]);
    expect(guest.strayWrites()).toEqual([]);
  });

  it("of nobody is 0 and 0, and nothing is written", () => {
    const guest = new FakeGuest();
    const [count, size] = [guest.out(), guest.out()];

    expect([
      guest.call("environ_sizes_get", count, size),
      guest.call("environ_get", outOfBounds, outOfBounds),
    ]).toEqual([0, 0]);
    expect([guest.u32(count), guest.u32(size)]).toEqual([0, 0]);
  });

  it("faults for words out of bounds", () => {
    const guest = new FakeGuest();
    guest.environment = environment;

    expect(guest.call("environ_sizes_get", outOfBounds, guest.out())).toBe(fault);
    expect(guest.call("environ_sizes_get", guest.out(), outOfBounds)).toBe(fault);
    expect(guest.call("environ_get", outOfBounds, guest.out(20))).toBe(fault);
    expect(guest.call("environ_get", guest.out(8), outOfBounds)).toBe(fault);
  });

  it("has no arguments", () => {
    const guest = new FakeGuest();
    const [count, size] = [guest.out(), guest.out()];

    expect([
      guest.call("args_sizes_get", count, size),
      guest.call("args_get", outOfBounds, outOfBounds),
    ]).toEqual([0, 0]);
    expect([guest.u32(count), guest.u32(size)]).toEqual([0, 0]);
    expect(guest.call("args_sizes_get", count, outOfBounds)).toBe(fault);
  });
});

describe("clocks", () => {
  it("0 is the wall clock, 1 the monotonic one, 2 and 3 are not supported", () => {
    const guest = new FakeGuest();
    guest.clock.advanceTo(5);
    const times = [0, 1, 2, 3].map(() => guest.out(8));

    const errnos = times.map((time, clock) => guest.call("clock_time_get", clock, 0n, time));

    expect(errnos).toEqual([success, success, notSupported, notSupported]);
    expect([guest.u64(times[0]!), guest.u64(times[1]!)]).toEqual([
      1_767_225_600_000_000_005n,
      3_600_000_000_005n,
    ]);
    expect(guest.isUntouched(times[2]!, 8)).toBe(true);
    expect(guest.call("clock_time_get", 1, 0n, outOfBounds)).toBe(fault);
  });

  it("have a resolution of one nanosecond", () => {
    const guest = new FakeGuest();
    const resolution = guest.out(8);

    expect([0, 1, 2].map((clock) => guest.call("clock_res_get", clock, resolution))).toEqual([
      0,
      0,
      notSupported,
    ]);
    expect(guest.u64(resolution)).toBe(1n);
    expect(guest.call("clock_res_get", 0, outOfBounds)).toBe(fault);
  });
});

describe("random_get", () => {
  it("fills exactly what is asked", () => {
    const guest = new FakeGuest();
    const into = guest.out(16);

    expect(guest.call("random_get", into, 16)).toBe(success);
    expect([...guest.memory.readBytes(into, 16)!]).toEqual(new Array(16).fill(0x42));
    expect(guest.strayWrites()).toEqual([]);
  });

  it("gives at most 65536 bytes, and none for 0 wherever the address points", () => {
    const guest = new FakeGuest();

    expect(guest.call("random_get", 0, 65536)).toBe(success);
    expect(guest.call("random_get", 0, 65537)).toBe(invalid);
    expect(guest.call("random_get", 0xffffffff, 0)).toBe(success);
    expect(guest.call("random_get", outOfBounds, 4)).toBe(fault);
  });
});

describe("files and sockets, which are not there", () => {
  const zeros = (name: string): (number | bigint)[] =>
    hostSignatures
      .find((signature) => signature.name === name)!
      .type.params.map((type) => (type === "i64" ? 0n : 0));

  it.each([
    ["fd_read", notImplemented],
    ["fd_pread", notImplemented],
    ["fd_seek", success],
    ["fd_close", success],
    ["fd_fdstat_set_flags", notImplemented],
    ["fd_filestat_get", badFile],
    ["fd_advise", success],
    ["fd_prestat_get", badFile],
    ["fd_prestat_dir_name", notImplemented],
    ["fd_readdir", 20],
    ["fd_renumber", badFile],
    ["path_open", 44],
    ["path_filestat_get", notSupported],
    ["path_filestat_set_times", notSupported],
    ["path_create_directory", notSupported],
    ["path_remove_directory", notSupported],
    ["path_unlink_file", notSupported],
    ["path_readlink", notSupported],
    ["path_rename", notSupported],
    ["path_link", notSupported],
    ["path_symlink", notSupported],
    ["sock_accept", notSupported],
    ["sock_recv", notSupported],
    ["sock_send", notSupported],
    ["sock_shutdown", notSupported],
    ["sched_yield", success],
  ])("%s answers %i", (name, errno) => {
    expect(new FakeGuest().call(name, ...zeros(name))).toBe(errno);
  });

  it.each([
    "fd_fdstat_set_rights",
    "fd_filestat_set_size",
    "fd_filestat_set_times",
    "fd_allocate",
    "fd_datasync",
    "fd_sync",
    "fd_tell",
    "fd_fdstat_get",
  ])("%s answers 0 for descriptors 1 and 2 and 8 for others", (name) => {
    const guest = new FakeGuest();
    const errnos = [0, 1, 2, 3].map((fd) => guest.call(name, fd, ...zeros(name).slice(1)));

    expect(errnos).toEqual([badFile, success, success, badFile]);
  });

  it("fd_renumber between the two descriptors is not supported", () => {
    expect(new FakeGuest().call("fd_renumber", 1, 2)).toBe(notSupported);
    expect(new FakeGuest().call("fd_renumber", 1, 5)).toBe(badFile);
  });

  it("fd_fdstat_get writes 24 bytes: 0, 64, 0", () => {
    const guest = new FakeGuest();
    const stat = guest.out(24);

    guest.call("fd_fdstat_get", 1, stat);

    expect([guest.u64(stat), guest.u64(stat + 8), guest.u64(stat + 16)]).toEqual([0n, 64n, 0n]);
    expect(guest.strayWrites()).toEqual([]);
    expect(guest.call("fd_fdstat_get", 1, outOfBounds)).toBe(success);
  });

  it("those that fail and still write, write zeros", () => {
    const guest = new FakeGuest();
    const [used, link, accepted, received, flags, sent, offset] = [4, 4, 8, 4, 2, 4, 8].map(
      (size) => guest.out(size),
    );

    guest.call("fd_readdir", 1, 0, 0, 0n, used!);
    guest.call("path_readlink", 0, 0, 0, 0, 0, link!);
    guest.call("sock_accept", 0, 0, accepted!);
    guest.call("sock_recv", 0, 0, 0, 0, received!, flags!);
    guest.call("sock_send", 0, 0, 0, 0, sent!);
    guest.call("fd_tell", 1, offset!);

    expect([used, link, received, sent].map((word) => guest.u32(word!))).toEqual([0, 0, 0, 0]);
    expect([guest.u64(accepted!), guest.u64(offset!)]).toEqual([0n, 0n]);
    expect([...guest.memory.readBytes(flags!, 2)!]).toEqual([0, 0]);
    expect(guest.strayWrites()).toEqual([]);
  });
});

describe("rooms where no memory is", () => {
  it.each([
    ["fd_tell", [1, outOfBounds]],
    ["fd_readdir", [1, 0, 0, 0n, outOfBounds]],
    ["path_readlink", [0, 0, 0, 0, 0, outOfBounds]],
    ["sock_accept", [0, 0, outOfBounds]],
    ["sock_send", [0, 0, 0, 0, outOfBounds]],
    ["poll_oneoff", [0, 0, 0, outOfBounds]],
  ] as const)("%s answers 21", (name, args) => {
    expect(new FakeGuest().call(name, ...args)).toBe(fault);
  });

  it("sock_recv writes no flags when the size has no room, and a size when the flags have none", () => {
    const guest = new FakeGuest();
    const [size, flags] = [guest.out(), guest.out(2)];

    const errnos = [
      guest.call("sock_recv", 0, 0, 0, 0, outOfBounds, flags),
      guest.call("sock_recv", 0, 0, 0, 0, size, 0xffffffff),
    ];

    expect(errnos).toEqual([fault, fault]);
    expect(guest.isUntouched(flags, 2)).toBe(true);
    expect(guest.u32(size)).toBe(0);
  });
});

describe("what Go needs", () => {
  it("FP2: poll_oneoff answers 0 and writes 0 events, without sleeping", () => {
    const guest = new FakeGuest();
    const events = guest.out();

    expect(guest.call("poll_oneoff", 0, 0, 1, events)).toBe(success);
    expect(guest.u32(events)).toBe(0);
    expect(guest.clock.nowNs).toBe(0);
  });

  it("FP3: clock, random and the sizes of arguments and environment succeed and write", () => {
    const guest = new FakeGuest();
    const [time, random, count, size] = [guest.out(8), guest.out(32), guest.out(), guest.out()];

    const errnos = [
      guest.call("clock_time_get", 1, 0n, time),
      guest.call("random_get", random, 32),
      guest.call("args_sizes_get", count, size),
      guest.call("environ_sizes_get", count, size),
      guest.call("fd_prestat_get", 3, 0),
    ];

    expect(errnos).toEqual([0, 0, 0, 0, badFile]);
    expect([time, random, count, size].some((at) => guest.isUntouched(at))).toBe(false);
  });

  it("proc_exit returns to its caller", () => {
    const guest = new FakeGuest();

    guest.call("proc_exit", 2);

    expect(guest.call("proxy_log", 2, ...guest.put("still here"))).toBe(0);
  });
});
