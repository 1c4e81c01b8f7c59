/**
 * A host without behaviour: it decodes what a guest passes, by the host's own table of signatures, keeps
 * it, and answers what the test wrote down. For tests of the SDK's calls, one by one.
 */
import { decodePairs, encodePairs } from "../../host-mock/abi/pairs.ts";
import { hostSignatures, type HostSignature } from "../../host-mock/abi/signatures.ts";

export type Passed = number | bigint | string | Uint8Array | readonly (readonly [string, string])[];

export interface ScriptedAnswer {
  readonly status?: number;
  /** What is written to the out-parameters, in order; an array of pairs for a list. */
  readonly out?: readonly (number | bigint | Uint8Array | readonly (readonly [string, string])[])[];
  /** For a function that fills a block, given by address and size: the byte it is filled with. */
  readonly fill?: number;
}

export interface RecordedCall {
  readonly name: string;
  readonly args: readonly Passed[];
}

interface Exports {
  memory: WebAssembly.Memory;
  proxy_on_memory_allocate(size: number): number;
}

export class ScriptHost {
  readonly calls: RecordedCall[] = [];
  readonly imports: WebAssembly.Imports;
  private readonly answers = new Map<string, ScriptedAnswer>();
  private guest: Exports | undefined;

  constructor() {
    const env: Record<string, WebAssembly.ImportValue> = {
      // Guests that are built without the transform and its options still have it.
      abort: () => {
        throw new Error("the guest aborted");
      },
    };
    const wasi: Record<string, WebAssembly.ImportValue> = {};
    for (const signature of hostSignatures) {
      const where = signature.module === "env" ? env : wasi;
      where[signature.name] = (...raw: (number | bigint)[]) => this.answer(signature, raw);
    }
    this.imports = { env, wasi_snapshot_preview1: wasi };
  }

  /** The guest whose memory the calls are about. */
  attach(guest: unknown): void {
    this.guest = guest as Exports;
  }

  /** What a call answers from now on; every call answers Ok and nothing until then. */
  script(name: string, answer: ScriptedAnswer): void {
    this.answers.set(name, answer);
  }

  /** Takes the calls recorded so far. */
  take(): RecordedCall[] {
    return this.calls.splice(0);
  }

  private get view(): DataView {
    return new DataView(this.guest!.memory.buffer);
  }

  private bytes(pointer: number, size: number): Uint8Array {
    return new Uint8Array(this.guest!.memory.buffer, pointer, size).slice();
  }

  private answer({ name, parameters }: HostSignature, raw: readonly (number | bigint)[]): number {
    const { status = 0, out = [], fill } = this.answers.get(name) ?? {};
    const args: Passed[] = [];
    const writes: (() => void)[] = [];
    const words = [...raw];
    const word = (): number => Number(words.shift()) >>> 0;
    let outIndex = 0;
    for (const { kind } of parameters) {
      if (kind === "bytes") args.push(textOf(this.bytes(word(), word())));
      else if (kind === "path")
        args.push(textOf(this.bytes(word(), word())).toString().split("\0").join("/"));
      else if (kind === "pairs") args.push(decodePairs(this.bytes(word(), word())).map(asText));
      else if (kind === "i64") args.push(words.shift()!);
      else if (kind === "i32") args.push(word() | 0);
      else if (!kind.startsWith("out-")) args.push(word());
      else writes.push(this.writer(kind, word(), kind.endsWith("s") ? word() : 0, out[outIndex++]));
    }
    this.calls.push({ name, args });
    if (fill !== undefined) {
      new Uint8Array(this.guest!.memory.buffer, Number(raw[0]) >>> 0, Number(raw[1])).fill(fill);
    }
    // A host writes nothing when it fails.
    if (status === 0) for (const write of writes) write();
    return status;
  }

  private writer(
    kind: string,
    pointer: number,
    sizePointer: number,
    value: NonNullable<ScriptedAnswer["out"]>[number] | undefined,
  ): () => void {
    return () => {
      if (kind === "out-u32") this.view.setUint32(pointer, Number(value ?? 0), true);
      else if (kind === "out-u64")
        this.view.setBigUint64(pointer, BigInt((value ?? 0) as bigint), true);
      else {
        const block = blockOf(value);
        const at = block.length === 0 ? 0 : this.guest!.proxy_on_memory_allocate(block.length);
        new Uint8Array(this.guest!.memory.buffer).set(block, at);
        this.view.setUint32(pointer, at, true);
        this.view.setUint32(sizePointer, block.length, true);
      }
    };
  }
}

function blockOf(value: NonNullable<ScriptedAnswer["out"]>[number] | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (!Array.isArray(value)) return new Uint8Array(0);
  const pairs = value as readonly (readonly [string, string])[];
  return encodePairs(pairs.map(([name, text]) => [Buffer.from(name), Buffer.from(text)] as const));
}

/** Text where the bytes are text, which reads better in a test. */
function textOf(bytes: Uint8Array): string | Uint8Array {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}

function asText([name, value]: readonly [Uint8Array, Uint8Array]): readonly [string, string] {
  return [Buffer.from(name).toString("latin1"), Buffer.from(value).toString("latin1")];
}
