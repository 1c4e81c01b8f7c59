import { wrapper, proxywasm } from "proxy-wasm-as/assembly";
import { Counts } from "./counts";

// Shared data has no way to list keys, and VMs come and go: so each VM adds to one of a fixed number of cells, chosen
// by a random number of its own. Few VMs meet in one cell, and a VM that dies leaves its counts behind.
const CELLS = 16;
const TRIES = 8;

/** Counts in shared data: what every VM of this plugin has counted since the data exists. */
export class Cells {
  private mine: i32 = 0;

  constructor(private readonly plugin: string) {
    const random = proxywasm.RandomBytes(1);
    if (random.status == wrapper.Status.Ok) this.mine = random.value[0] % CELLS;
  }

  /** Adds to this VM's cell. False when other VMs were faster each time: keep the counts and try again later. */
  add(counts: Counts): bool {
    const key = this.key(this.mine);
    for (let i = 0; i < TRIES; i++) {
      const seen = proxywasm.GetSharedData(key);
      const absent = seen.status == wrapper.Status.NotFound;
      if (!absent && seen.status != wrapper.Status.Ok) return false;
      const sum = Counts.read(wrapper.ParseJson(seen.value));
      sum.addAll(counts, 1);
      const json = new wrapper.JsonWriter();
      json.BeginObject();
      sum.write(json);
      json.EndObject();
      const cas = absent ? proxywasm.CREATE_ONLY : seen.cas;
      if (proxywasm.SetSharedData(key, json.Bytes(), cas) == wrapper.Status.Ok) return true;
    }
    return false;
  }

  /** The sum over all cells. */
  total(): Counts {
    const sum = new Counts();
    for (let i = 0; i < CELLS; i++) {
      const seen = proxywasm.GetSharedData(this.key(i));
      if (seen.status == wrapper.Status.Ok)
        sum.addAll(Counts.read(wrapper.ParseJson(seen.value)), 1);
    }
    return sum;
  }

  private key(index: i32): string {
    return this.plugin + ":counts:" + index.toString();
  }
}
