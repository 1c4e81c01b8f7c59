// Protocols of leader election over shared data, right ones and wrong ones: README.md. A tick is a pass.
import { pass } from "./candidate.guest";
import { createsWith } from "./creation.guest";
import * as host from "./host.guest";
import { NotFound } from "./host.guest";
import { CELL_KEY, CELL_KEY_SIZE, ID, KEY, drawKeys, keySize, termKeySize } from "./keys.guest";
import { Kind, buildCell, buildForeign, buildNumber, buildVacant } from "./record.guest";
import * as rules from "./rules.guest";
import { Terms, Work } from "./rules.guest";
import { begin } from "./text.guest";
import { passAsWasmGo } from "./wasm-go.guest";

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return host.inbox(size);
}

export function proxy_on_vm_start(_root: u32, _size: u32): i32 {
  return 1;
}

export function proxy_on_configure(_root: u32, size: i32): i32 {
  if (!rules.readRules(host.configuration(size))) {
    begin("no such protocol or option: test/guests/protocols/README.md");
    host.logLine();
    return 0;
  }
  drawKeys(rules.isShared || rules.isWasmGo);
  if (rules.ensures) ensureRecord();
  if (rules.ensures && rules.terms == Terms.Key) ensureTerm();
  if (rules.work == Work.Cell) ensureCell();
  host.setPeriod(rules.periodMs);
  return 1;
}

export function proxy_on_tick(_root: u32): void {
  if (rules.isWasmGo) passAsWasmGo();
  else pass();
}

/** One thread configures before any other VM is there: Envoy's canary. */
function ensureRecord(): void {
  if (host.get(KEY, keySize) != NotFound) return;
  if (rules.isWasmGo) buildForeign(ID, 0, 0);
  else buildVacant(rules.init == rules.Claim.AtOnce ? Kind.Init : Kind.Boot, 0, host.monoMs());
  host.setLine(KEY, keySize, createsWith());
}

function ensureTerm(): void {
  if (host.get(KEY, termKeySize) != NotFound) return;
  buildNumber(0);
  host.setLine(KEY, termKeySize, createsWith());
}

function ensureCell(): void {
  if (host.get(CELL_KEY, CELL_KEY_SIZE) != NotFound) return;
  buildCell(0, ID, 0, 0);
  host.setLine(CELL_KEY, CELL_KEY_SIZE, createsWith());
}
