import {
  mistakes,
  P1,
  P2,
  P3,
  P3_NEVER_CREATES,
  P4,
  P5,
  P5_STRICT,
  P6,
  P7,
  type Protocol,
  type Row,
  type VmKind,
} from "./index.ts";

/** What is published for a row; what is left out was not published. */
export interface Published {
  readonly states: number;
  readonly transitions?: number;
  /** By the row's measure. */
  readonly bad: number;
  readonly twoValidAs?: number;
  readonly twoFlags?: number;
  readonly staleWork?: number;
  readonly stuck?: number;
}

export interface NamedRow extends Row {
  readonly name: string;
  readonly published: Published;
  /** The shortest counterexample has these steps in this order, and others between them. */
  readonly way?: readonly string[];
}

const as2: readonly VmKind[] = ["as", "as"];
const as3: readonly VmKind[] = ["as", "as", "as"];
const as2Go: readonly VmKind[] = ["as", "as", "go"];
const go2: readonly VmKind[] = ["go", "go"];
const go3: readonly VmKind[] = ["go", "go", "go"];

type Options = Partial<Omit<NamedRow, "name" | "published">>;

function row(name: string, published: Published, start: Row["start"], options: Options): NamedRow {
  return { name, published, start, vms: as2, lease: 2, ...options };
}

/** The published counts of states and transitions, where nothing may be bad. */
function good(states: number, transitions?: number, stuck?: number): Published {
  return {
    states,
    bad: 0,
    ...(transitions === undefined ? {} : { transitions }),
    ...(stuck === undefined ? {} : { stuck }),
  };
}

const bothGet = (record: string): string[] => [`A: get → ${record}`, `B: get → ${record}`];
const bothCreate = [...bothGet("absent"), "A: set", "B: set"];

/** wasm-go's recipe. */
export const p0Rows: readonly NamedRow[] = [
  row("P0, 2 VMs, T = 2", { states: 5060, transitions: 15_307, bad: 185 }, "absent", {
    vms: go2,
    way: bothCreate,
  }),
  row("P0, 2 VMs, T = 3", { states: 11_459, bad: 456 }, "absent", {
    vms: go2,
    lease: 3,
    way: bothCreate,
  }),
  row("P0, 2 VMs, T = 4", { states: 22_508, bad: 945 }, "absent", {
    vms: go2,
    lease: 4,
    way: bothCreate,
  }),
  row("P0, 3 VMs, T = 2", { states: 201_344, transitions: 816_004, bad: 16_541 }, "absent", {
    vms: go3,
    way: bothCreate,
  }),
  row(
    "P0, key held, with work",
    { states: 4155, transitions: 13_111, bad: 2702, staleWork: 344 },
    "led",
    {
      vms: go2,
      work: true,
      bad: "two flags",
      way: ["time", "time", "time", "B: get → held", "B: set"],
    },
  ),
  row("P0, one wipe", { states: 12_683, transitions: 40_582, bad: 253 }, "led", {
    vms: go2,
    wipes: 1,
    way: ["wipe", "B: get → absent", "B: set"],
  }),
  row("P0, one corruption", { states: 5289, bad: 0, stuck: 2239 }, "led", {
    vms: go2,
    corruptions: 1,
  }),
];

/** Protocols with two leaders. */
export const refutedRows: readonly NamedRow[] = [
  row("P1", { states: 7494, transitions: 22_482, bad: 623 }, "absent", {
    protocol: P1,
    way: [
      ...bothGet("absent"),
      ...["A: set", "A: get → placeholder", "A: set"],
      ...["B: set", "B: get → placeholder", "B: set"],
    ],
  }),
  row("P2", { states: 5199, transitions: 15_597, bad: 584 }, "absent", {
    protocol: P2,
    way: [
      ...bothGet("absent"),
      ...["A: set", "A: get → held", "A: decide"],
      ...["B: set", "B: get → held", "B: decide"],
    ],
  }),
  row("P3, one wipe", { states: 22_043, transitions: 70_917, bad: 909 }, "placeholder", {
    protocol: P3,
    wipes: 1,
    way: [...bothGet("placeholder"), "A: set", "wipe", "B: set"],
  }),
  row(
    "P3 never creates, one wipe",
    { states: 14_074, transitions: 47_010, bad: 684, stuck: 79 },
    "placeholder",
    {
      protocol: P3_NEVER_CREATES,
      wipes: 1,
      way: [...bothGet("placeholder"), "A: set", "wipe", "B: set"],
    },
  ),
  row("P4, two wipes", { states: 54_760, transitions: 186_680, bad: 1861 }, "absent", {
    protocol: P4,
    wipes: 2,
    way: [...bothGet("placeholder"), "A: set", "wipe", "B: set"],
  }),
  row("P5, one wipe", { states: 68_569, transitions: 225_064, bad: 905 }, "boot", {
    protocol: P5,
    release: true,
    wipes: 1,
    way: [...bothGet("boot"), "A: set", "wipe", "B: set"],
  }),
  row("P5, boot by every VM", { states: 23_039, transitions: 70_194, bad: 747 }, "absent", {
    protocol: P5,
    release: true,
    configures: true,
    way: [
      ...bothGet("absent"),
      ...["A: configureSet", "A: get → boot", "A: set"],
      ...["B: configureSet", "B: get → boot", "B: set"],
    ],
  }),
  row("P6, two wipes", { states: 303_630, bad: 545 }, "boot", {
    protocol: P6,
    release: true,
    wipes: 2,
    way: ["wipe", "A: set", "wipe", "B: set"],
  }),
  row("P7, one wipe", { states: 48_109, transitions: 161_553, bad: 905 }, "absent", {
    protocol: P7,
    release: true,
    wipes: 1,
    way: [...bothGet("absent"), "A: set", "wipe", "B: set"],
  }),
];

/** One line wrong. */
export const mistakeRows: readonly NamedRow[] = [
  row("observes from r0", { states: 9271, bad: 486 }, "absent", {
    protocol: mistakes.OBSERVES_FROM_R0,
    way: ["A: clock", "time", "time", "time", "A: get → placeholder", "A: set", "B: set"],
  }),
  row("promise from a clock after the set", { states: 15_724, bad: 2120 }, "absent", {
    protocol: mistakes.PROMISES_AFTER_SET,
    way: ["A: set", "time", "time", "time", "A: clockAfterSet", "B: set", "B: clockAfterSet"],
  }),
  row("waits T − 1", { states: 9125, bad: 228 }, "absent", {
    protocol: mistakes.WAITS_ONE_LESS,
    way: ["A: set", "B: get → held", "B: decide", "time", "time", "B: get → held", "B: set"],
  }),
  row("flag without expiry", { states: 8336, bad: 859 }, "absent", {
    protocol: mistakes.FLAG_NEVER_EXPIRES,
    bad: "two flags",
    way: ["A: set", "B: get → held", "time", "time", "time", "B: get → held", "B: set"],
  }),
  row("corrupt record claimed at once", { states: 55_447, bad: 901 }, "boot", {
    protocol: mistakes.CLAIMS_CORRUPT,
    release: true,
    corruptions: 1,
    way: ["A: set", "corruption", "B: get → corrupt", "B: set"],
  }),
];

/** Protocols without a bad state. */
export const holdsRows: readonly NamedRow[] = [
  row("P3, 2 VMs, T = 2", good(4788, 14_364), "placeholder", { protocol: P3 }),
  row("P3, 2 VMs, T = 3", good(10_296), "placeholder", { protocol: P3, lease: 3 }),
  row("P3, 2 VMs, T = 4", good(19_687), "placeholder", { protocol: P3, lease: 4 }),
  row("P3, 3 VMs, T = 2", good(295_945, 1_183_780), "placeholder", { protocol: P3, vms: as3 }),
  row("P3, 3 VMs, T = 3", good(898_533, 3_594_132), "placeholder", {
    protocol: P3,
    vms: as3,
    lease: 3,
  }),
  row("P4, 2 VMs, T = 2", good(7735, 23_205, 0), "absent", { protocol: P4 }),
  row("P4, 2 VMs, T = 3", good(16_198), "absent", { protocol: P4, lease: 3 }),
  row("P4, 2 VMs, T = 4", good(30_566), "absent", { protocol: P4, lease: 4 }),
  row("P4, 3 VMs, T = 2", good(376_435, 1_505_740), "absent", { protocol: P4, vms: as3 }),
  row("P4, 3 VMs, T = 3", good(1_067_392, 4_269_568), "absent", {
    protocol: P4,
    vms: as3,
    lease: 3,
  }),
  ...released("P5 strict", P5_STRICT, "absent", [
    [2, good(20_908, 63_466, 0)],
    [3, good(45_657)],
    [4, good(89_159)],
    [6, good(271_312)],
  ]),
  row("P5 strict, 3 VMs, T = 2", good(1_804_787, 7_316_500), "absent", {
    protocol: P5_STRICT,
    vms: as3,
    release: true,
  }),
  ...released("P5 boot", P5, "boot", [
    [2, good(16_590, 50_483, 0)],
    [3, good(37_298)],
    [4, good(74_443)],
    [6, good(233_690)],
  ]),
  row("P5 boot, 3 VMs, T = 2", good(1_454_005, 5_902_676), "boot", {
    protocol: P5,
    vms: as3,
    release: true,
  }),
  row("P5 boot, one corruption", good(53_733, 172_675, 0), "boot", {
    protocol: P5,
    release: true,
    corruptions: 1,
  }),
  row("P5 boot, one corruption, 3 VMs", good(1_422_101, 5_982_424), "boot", {
    protocol: P5,
    vms: as3,
    corruptions: 1,
  }),
  row("P5, boot by every VM, waited for", good(21_781, 66_100), "absent", {
    protocol: P5_STRICT,
    release: true,
    configures: true,
  }),
  row("P6, 2 VMs, T = 2", good(47_555, 143_259, 0), "absent", { protocol: P6, release: true }),
  row("P6, 2 VMs, T = 3", good(112_061), "absent", { protocol: P6, release: true, lease: 3 }),
  row("P6, 3 VMs, T = 1", good(667_790, 2_671_160), "absent", {
    protocol: P6,
    vms: as3,
    lease: 1,
  }),
  row("P6 boot, one wipe", good(154_791, 507_503), "boot", {
    protocol: P6,
    release: true,
    wipes: 1,
  }),
  row("P6 strict, one wipe", good(164_613, 543_672), "absent", {
    protocol: P6,
    release: true,
    wipes: 1,
  }),
  row("P6, boot by every VM", good(50_934, 153_490), "absent", {
    protocol: P6,
    release: true,
    configures: true,
  }),
  ...released("P7", P7, "absent", [
    [2, good(14_933, 45_443, 0)],
    [3, good(33_317, 101_299, 0)],
    [4, good(66_072, 200_695, 0)],
  ]),
  row("P7, 3 VMs, T = 2", good(1_336_776, 5_427_250), "absent", {
    protocol: P7,
    vms: as3,
    release: true,
  }),
  row("P7, one corruption", good(49_701, 159_625, 0), "absent", {
    protocol: P7,
    release: true,
    corruptions: 1,
  }),
];

/** One VM of ours and one with wasm-go's recipe. */
export const mixedRows: readonly NamedRow[] = [
  row(
    "P5 and wasm-go, key absent",
    { states: 47_669, transitions: 143_964, bad: 473, twoFlags: 1749 },
    "absent",
    {
      protocol: P5,
      vms: ["as", "go"],
      way: [
        "B: get → absent",
        "A: get → placeholder",
        "A: set",
        "B: set",
        "B: get → held",
        "B: set",
      ],
    },
  ),
  row(
    "P5 and wasm-go, key ensured",
    { states: 27_205, transitions: 81_765, bad: 0, twoFlags: 864 },
    "boot",
    { protocol: P5, vms: ["as", "go"] },
  ),
  row(
    "P7 and wasm-go, key absent",
    { states: 25_204, transitions: 75_762, bad: 660, stuck: 0 },
    "absent",
    { protocol: P7, vms: ["as", "go"], way: bothCreate },
  ),
];

export const workRows: readonly NamedRow[] = [
  row(
    "P5 boot with work, no fence",
    { states: 5941, transitions: 18_296, bad: 0, staleWork: 65 },
    "boot",
    { protocol: P5, work: true },
  ),
];

/** Two VMs of ours and one with wasm-go's recipe: five to fourteen million states, a minute and a gigabyte each. */
export const hugeRows: readonly NamedRow[] = [
  row(
    "P5 and wasm-go, key ensured, 2 + 1",
    { states: 5_100_465, transitions: 20_438_141, bad: 0, twoFlags: 406_351 },
    "boot",
    { protocol: P5, vms: as2Go },
  ),
  row(
    "P7 and wasm-go, key absent, 2 + 1",
    { states: 6_054_332, transitions: 24_251_626, bad: 283_704, twoValidAs: 0 },
    "absent",
    { protocol: P7, vms: as2Go, way: ["A: get → absent", "C: get → absent", "A: set", "C: set"] },
  ),
  row(
    "P5 and wasm-go, key absent, 2 + 1",
    {
      states: 11_167_374,
      transitions: 44_848_830,
      bad: 318_013,
      twoValidAs: 0,
      twoFlags: 1_071_512,
    },
    "absent",
    {
      protocol: P5,
      vms: as2Go,
      way: [...bothGet("absent"), "A: set", "A: set", "B: set", "C: get → placeholder", "C: set"],
    },
  ),
  row("wasm-go's record judged by its time", { states: 13_510_966, bad: 26_377 }, "absent", {
    protocol: mistakes.TRUSTS_TIME_OF_GO,
    vms: as2Go,
    bad: "two valid as",
    way: ["C: get → absent", "C: set"],
  }),
];

function released(
  name: string,
  protocol: Protocol,
  start: Row["start"],
  byLease: readonly (readonly [number, Published])[],
): NamedRow[] {
  return byLease.map(([lease, published]) =>
    row(`${name}, 2 VMs, T = ${lease}`, published, start, { protocol, release: true, lease }),
  );
}

export const allRows: readonly NamedRow[] = [
  ...p0Rows,
  ...refutedRows,
  ...mistakeRows,
  ...holdsRows,
  ...mixedRows,
  ...workRows,
  ...hugeRows,
];
