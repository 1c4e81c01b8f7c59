/** Protocols that must hold within these bounds: the searches that find the wrong ones find nothing here. */
import { fleet, wasmGo, writer, type HoldingRow } from "./rows.ts";

/** Longer than the lease of 60 s that a fleet with wasm-go has. */
const past60s = 62_000;

const alone: readonly HoldingRow[] = [
  {
    name: "P3",
    fleets: [fleet("P3")],
    ticks: 3,
    timeSteps: 2,
    properties: ["single_winner", "terms_grow"],
  },
  {
    name: "P3, three VMs",
    fleets: [fleet("P3", 3)],
    ticks: 2,
    timeSteps: 1,
    properties: ["single_winner", "terms_grow"],
  },
  {
    name: "P4",
    fleets: [fleet("P4")],
    ticks: 3,
    timeSteps: 2,
    properties: ["single_winner"],
  },
  {
    name: "P4, time in steps that a wait one second too short does not survive",
    fleets: [fleet("P4")],
    ticks: 3,
    timeSteps: 2,
    timeStepMs: 14_500,
    properties: ["single_winner"],
  },
  {
    name: "P5 strict",
    fleets: [fleet("P5-strict")],
    ticks: 3,
    timeSteps: 1,
    properties: ["single_winner"],
  },
  {
    name: "P5 boot with release",
    fleets: [fleet("P5-boot release=2")],
    ticks: 3,
    timeSteps: 2,
    properties: ["single_winner", "terms_grow"],
  },
  {
    name: "P5 boot, three VMs",
    fleets: [fleet("P5-boot", 3)],
    ticks: 2,
    timeSteps: 1,
    properties: ["single_winner", "terms_grow"],
  },
  {
    name: "P5 boot with a term key",
    fleets: [fleet("P5-boot terms=key")],
    ticks: 3,
    timeSteps: 1,
    properties: ["single_winner", "terms_grow"],
  },
  {
    name: "P5 boot, one corruption",
    fleets: [fleet("P5-boot")],
    ticks: 3,
    timeSteps: 1,
    corruptions: 1,
    properties: ["single_winner"],
  },
  {
    name: "P5, boot written by every VM but waited for",
    fleets: [fleet("P5-strict-everywhere")],
    ticks: 3,
    timeSteps: 1,
    properties: ["single_winner"],
  },
  {
    name: "P6",
    fleets: [fleet("P6")],
    ticks: 3,
    timeSteps: 2,
    properties: ["single_winner", "terms_grow"],
  },
  {
    name: "P6, one wipe",
    fleets: [fleet("P6")],
    ticks: 3,
    timeSteps: 2,
    wipes: 1,
    preemptions: 2,
    properties: ["single_winner"],
  },
  {
    name: "P6, boot by every VM",
    fleets: [fleet("P6-boot-everywhere")],
    ticks: 3,
    timeSteps: 1,
    properties: ["single_winner"],
  },
  {
    name: "P7",
    fleets: [fleet("P7")],
    ticks: 3,
    timeSteps: 1,
    properties: ["single_winner", "terms_grow"],
  },
  {
    name: "P7, one crash",
    fleets: [fleet("P7")],
    ticks: 2,
    timeSteps: 1,
    crashes: 1,
    properties: ["single_winner", "terms_grow"],
  },
  {
    name: "P7, one refused call",
    fleets: [fleet("P7")],
    ticks: 2,
    timeSteps: 1,
    refusals: 1,
    properties: ["single_winner", "terms_grow"],
  },
  {
    name: "P7, one corruption",
    fleets: [fleet("P7")],
    ticks: 2,
    timeSteps: 1,
    corruptions: 1,
    properties: ["single_winner", "terms_grow"],
  },
  {
    name: "P7, three VMs",
    fleets: [fleet("P7", 3)],
    ticks: 1,
    timeSteps: 2,
    properties: ["single_winner", "terms_grow"],
  },
];

const published: readonly HoldingRow[] = ["plain", "fenced"].map((rootId) => ({
  name: `the published elector, ${rootId}`,
  fleets: [{ guest: "elector", configuration: "", rootId, vms: ["worker_0", "worker_1"] }],
  ticks: 2,
  properties: ["single_winner", "terms_grow"],
}));

const mixed: readonly HoldingRow[] = [
  {
    name: "P7 beside wasm-go, key ensured",
    fleets: [fleet("P7 go", 1), wasmGo()],
    ticks: 3,
    timeSteps: 2,
    timeStepMs: past60s,
    properties: ["single_winner", "terms_grow"],
  },
  {
    name: "two of P7 beside wasm-go, key absent",
    fleets: [fleet("P7-absent go"), wasmGo()],
    ticks: 2,
    timeSteps: 1,
    timeStepMs: past60s,
    properties: ["one_elector"],
  },
];

const fencing: readonly HoldingRow[] = [
  {
    name: "fence touched before leadership is reported",
    fleets: [fleet("P5-boot work=cell fence=eager")],
    ticks: 2,
    timeSteps: 1,
    properties: ["single_winner", "terms_grow"],
  },
  {
    name: "work fenced by its receiver",
    fleets: [fleet("P5-boot work=call")],
    ticks: 2,
    timeSteps: 1,
    collector: "fenced",
    properties: ["single_winner", "no_stale_effect"],
  },
  {
    name: "three writers of a cell, two writes each",
    fleets: [1, 2, 3].map((term) => writer(`right term=${term}`, `writer_${term}`)),
    ticks: 2,
    properties: ["terms_grow"],
  },
  {
    name: "two writers with one term",
    fleets: [1, 1].map((term, index) => writer(`right term=${term}`, `writer_${index}`)),
    ticks: 2,
    properties: ["terms_grow"],
  },
];

export const holds: readonly HoldingRow[] = [...alone, ...published, ...mixed, ...fencing];
