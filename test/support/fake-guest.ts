/**
 * A guest without wasm: a real memory, a real import object and a host around one VM that a test
 * sets up field by field. The memory is full of sentinels, so that a byte written where none
 * belongs is found.
 */
import { CallRing } from "../../host-mock/abi/call-ring.ts";
import type { AbiVersion } from "../../host-mock/abi/enums.ts";
import { linkImports } from "../../host-mock/abi/link.ts";
import { hostSignatures } from "../../host-mock/abi/signatures.ts";
import { Status, type StatusCode } from "../../host-mock/abi/status.ts";
import type {
  CallRule,
  ContextHost,
  GrpcCallRequest,
  GrpcStreamRequest,
  HttpCallRequest,
  LocalResponse,
  PropertyAnswer,
  RedisLogin,
  TokenAnswer,
  VmHost,
} from "../../host-mock/abi/vm-host.ts";
import { wasm, type WasmImports, type WasmMemory } from "../../host-mock/abi/wasm-api.ts";
import type { ImportEntry } from "../../host-mock/abi/wasm-types.ts";
import { profileByName } from "../../host-mock/profiles/index.ts";
import { latin1, noBytes, utf8 } from "../../host-mock/state/bytes.ts";
import type { Body } from "../../host-mock/state/body.ts";
import type { HeaderMap } from "../../host-mock/state/header-map.ts";
import { Metrics } from "../../host-mock/state/metrics.ts";
import { SharedData } from "../../host-mock/state/shared-data.ts";
import { SharedQueues } from "../../host-mock/state/shared-queue.ts";
import { Clock } from "../../host-mock/time/clock.ts";
import { Recorder, type RecorderOptions } from "../../host-mock/trace/recorder.ts";
import type { GuestInstance, Phase } from "../../host-mock/vm/instance.ts";
import { GuestMemory } from "../../host-mock/vm/memory.ts";

export const sentinel = 0xee;
const page = 65536;

export interface FakeGuestOptions {
  readonly abi?: AbiVersion;
  readonly profile?: string;
  readonly recorder?: RecorderOptions;
  readonly vmId?: string;
  readonly callCostNs?: number;
  readonly logLevel?: number;
  /** Names that capability restriction leaves; all when absent. */
  readonly allowedCapabilities?: ReadonlySet<string>;
  /** Stores shared with another guest of the same process. */
  readonly sameProcessAs?: FakeGuest;
}

/** The acting context; a test sets what it should answer, `calls` says what it was asked to do. */
export class FakeContext implements ContextHost {
  readonly id: number;
  readonly rootId: number;
  readonly pluginName = "fake";
  isLogPhase = false;
  readonly calls: string[] = [];
  readonly httpCalls: HttpCallRequest[] = [];
  readonly grpcCalls: (GrpcCallRequest | GrpcStreamRequest)[] = [];
  readonly responses: LocalResponse[] = [];
  readonly maps = new Map<number, HeaderMap>();
  readonly buffers = new Map<number, Body>();
  readonly properties = new Map<string, PropertyAnswer>();
  status = { code: 0, message: noBytes as Uint8Array };
  httpAnswer: { status: StatusCode; token: number } = { status: Status.Ok, token: 4 };
  grpcAnswer: TokenAnswer = { status: Status.Ok, token: 5 };
  redisAnswer: TokenAnswer = { status: Status.Ok, token: 7 };
  hosts: readonly (readonly [Uint8Array, Uint8Array])[] = [];
  doneAnswer: StatusCode = Status.NotFound;
  foreign: (
    name: string,
    argument: Uint8Array,
  ) => { status: StatusCode; result?: Uint8Array; isUnknown?: true } = () => ({
    status: Status.NotFound,
    isUnknown: true,
  });

  constructor(id: number, rootId: number) {
    this.id = id;
    this.rootId = rootId;
  }

  headerMap(type: number, writable: boolean): HeaderMap | undefined {
    this.calls.push(`headerMap ${type} ${writable ? "w" : "r"}`);
    return this.maps.get(type);
  }

  buffer(type: number): Body | undefined {
    return this.buffers.get(type);
  }

  property(path: readonly Uint8Array[]): PropertyAnswer {
    return this.properties.get(path.map(latin1).join("·")) ?? { status: Status.NotFound };
  }

  setProperty(path: Uint8Array, value: Uint8Array): StatusCode {
    this.calls.push(`setProperty ${latin1(path)} ${latin1(value)}`);
    return Status.Ok;
  }

  setTickPeriod(periodMs: number): void {
    this.calls.push(`setTickPeriod ${periodMs}`);
  }

  redisInit(login: RedisLogin): StatusCode {
    const { target, user, password, timeoutMs } = login;
    this.calls.push(`redisInit ${target} ${user} ${password} ${timeoutMs}`);
    return this.redisAnswer.status;
  }

  redisCall(cluster: string, query: Uint8Array): TokenAnswer {
    this.calls.push(`redisCall ${cluster} ${latin1(query)}`);
    return this.redisAnswer;
  }

  injectEncodedData(bytes: Uint8Array, isEnd: boolean): void {
    this.calls.push(`injectEncodedData ${latin1(bytes)} ${isEnd}`);
  }

  upstreamHosts(): readonly (readonly [Uint8Array, Uint8Array])[] {
    return this.hosts;
  }

  setUpstreamOverrideHost(address: string): void {
    this.calls.push(`setUpstreamOverrideHost ${address}`);
  }

  httpCall(request: HttpCallRequest): { status: StatusCode; token: number } {
    this.httpCalls.push(request);
    return this.httpAnswer;
  }

  grpcCall(request: GrpcCallRequest): TokenAnswer {
    this.grpcCalls.push(request);
    return this.grpcAnswer;
  }

  grpcStream(request: GrpcStreamRequest): TokenAnswer {
    this.grpcCalls.push(request);
    return this.grpcAnswer;
  }

  grpcSend(token: number, message: Uint8Array, isEnd: boolean): StatusCode {
    this.calls.push(`grpcSend ${token} ${latin1(message)} ${isEnd}`);
    return Status.Ok;
  }

  grpcCancel(token: number): StatusCode {
    this.calls.push(`grpcCancel ${token}`);
    return Status.Ok;
  }

  grpcClose(token: number): StatusCode {
    this.calls.push(`grpcClose ${token}`);
    return Status.Ok;
  }

  resolveDns(name: string, giveToken: (token: number) => boolean): StatusCode {
    this.calls.push(`resolveDns ${name}`);
    return giveToken(2) ? Status.Ok : Status.InvalidMemoryAccess;
  }

  sendLocalResponse(response: LocalResponse): void {
    this.responses.push(response);
  }

  continueStream(type: number): StatusCode {
    this.calls.push(`continueStream ${type}`);
    return Status.Ok;
  }

  closeStream(type: number): void {
    this.calls.push(`closeStream ${type}`);
  }

  done(): StatusCode {
    return this.doneAnswer;
  }

  lastStatus(): { code: number; message: Uint8Array } {
    return this.status;
  }

  callForeignFunction(
    name: string,
    argument: Uint8Array,
  ): { status: StatusCode; result?: Uint8Array; isUnknown?: true } {
    return this.foreign(name, argument);
  }
}

class FakeInstance implements GuestInstance {
  readonly memory: GuestMemory;
  phase: Phase = "callback";
  /** Sizes asked for, in order. */
  readonly allocations: number[] = [];
  /** What the allocator does; by default it gives the next free bytes. */
  allocator: (size: number) => number;

  constructor(memory: GuestMemory, allocator: (size: number) => number) {
    this.memory = memory;
    this.allocator = allocator;
  }

  allocate(size: number): number {
    this.allocations.push(size);
    return this.allocator(size);
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
}

export class FakeGuest {
  readonly wasmMemory: WasmMemory;
  readonly memory: GuestMemory;
  readonly instance: FakeInstance;
  readonly context = new FakeContext(2, 1);
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly host: VmHost;
  readonly rules: CallRule[] = [];
  readonly calls = new CallRing();
  environment: (readonly [string, string])[] = [];
  vmConfiguration: Uint8Array = noBytes;
  /** Ids that `setEffectiveContext` takes. */
  readonly contextIds = new Set([0, 1, 2]);
  /** Byte that `randomBytes` fills with. */
  randomByte = 0x42;
  readonly imports: WasmImports;
  readonly #own: Range[] = [];
  #next = 1024;

  constructor(options: FakeGuestOptions = {}) {
    this.wasmMemory = new wasm.Memory({ initial: 1 });
    new Uint8Array(this.wasmMemory.buffer).fill(sentinel);
    this.memory = new GuestMemory(this.wasmMemory);
    this.instance = new FakeInstance(this.memory, (size) => this.reserve(size));
    const neighbour = options.sameProcessAs?.host.process;
    this.clock = new Clock({ startWallNs: 1_767_225_600_000_000_000n });
    this.recorder = new Recorder(this.clock, options.recorder);
    this.host = this.#makeHost(options, neighbour);
    const profile = profileByName(options.profile ?? "envoy");
    const abi = options.abi ?? "0.2.1";
    this.imports = linkImports(
      { abi, imports: everyImport(abi, profile.groups) },
      profile,
      () => this.host,
      options.allowedCapabilities,
    );
  }

  #makeHost(options: FakeGuestOptions, neighbour: VmHost["process"] | undefined): VmHost {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the host below has an own `this`
    const guest = this;
    return {
      process: {
        sharedData: neighbour?.sharedData ?? new SharedData(),
        sharedQueues: neighbour?.sharedQueues ?? new SharedQueues(),
        metrics: neighbour?.metrics ?? new Metrics(),
        clock: this.clock,
        recorder: this.recorder,
        logLevel: options.logLevel ?? 0,
        callCostNs: options.callCostNs ?? 0,
      },
      instance: this.instance,
      calls: this.calls,
      vmId: options.vmId ?? "",
      rules: this.rules,
      get vmConfiguration() {
        return guest.vmConfiguration;
      },
      get environment() {
        return guest.environment;
      },
      randomBytes: (into) => void into.fill(guest.randomByte),
      actingContext: () => guest.context,
      setEffectiveContext: (id) => guest.contextIds.has(id),
      subject: () => ({ thread: "main", vm: "main#1", plugin: "fake", context: guest.context.id }),
    };
  }

  /** Calls an import as a guest would; i32 arguments arrive signed, as from wasm. */
  call(name: string, ...args: readonly (number | bigint)[]): number {
    const found = this.imports["env"]?.[name] ?? this.imports["wasi_snapshot_preview1"]?.[name];
    if (typeof found !== "function") throw new Error(`no import ${name}`);
    const signed = args.map((arg) => (typeof arg === "bigint" ? arg : arg | 0));
    return (found as (...words: readonly (number | bigint)[]) => number)(...signed);
  }

  /** Bytes in the guest's memory: address and size, to be spread into a call. */
  put(content: string | Uint8Array): [ptr: number, size: number] {
    const bytes = typeof content === "string" ? utf8(content) : content;
    const ptr = this.reserve(bytes.length);
    this.memory.writeBytes(ptr, bytes);
    return [ptr, bytes.length];
  }

  /** Room for an output word, sentinels all round and in it. */
  out(size = 4): number {
    return this.reserve(size);
  }

  /** Room that the guest owns; between two rooms lie sentinels. */
  reserve(size: number): number {
    const start = this.#next;
    this.#next = start + size + 16;
    if (this.#next > this.memory.sizeBytes) this.#grow(this.#next);
    this.#own.push({ start, end: start + size });
    return start;
  }

  u32(ptr: number): number {
    return this.memory.readU32(ptr)!;
  }

  u64(ptr: number): bigint {
    return this.memory.readU64(ptr)!;
  }

  /** What a (pointer word, size word) pair points at. */
  bytesAt(ptrPtr: number, sizePtr: number): Uint8Array {
    return this.memory.readBytes(this.u32(ptrPtr), this.u32(sizePtr))!;
  }

  textAt(ptrPtr: number, sizePtr: number): string {
    return new TextDecoder().decode(this.bytesAt(ptrPtr, sizePtr));
  }

  isUntouched(ptr: number, size = 4): boolean {
    return this.memory.readBytes(ptr, size)!.every((byte) => byte === sentinel);
  }

  /** Addresses outside of the guest's own rooms that no longer hold a sentinel. */
  strayWrites(): number[] {
    const bytes = new Uint8Array(this.wasmMemory.buffer).slice(0, page);
    for (const { start, end } of this.#own) bytes.fill(sentinel, start, end);
    return [...bytes.keys()].filter((at) => bytes[at] !== sentinel);
  }

  #grow(size: number): void {
    const before = this.wasmMemory.buffer.byteLength;
    this.wasmMemory.grow(Math.ceil((size - before) / page));
    new Uint8Array(this.wasmMemory.buffer).fill(sentinel, before);
  }
}

function everyImport(abi: AbiVersion, groups: ReadonlySet<string>): ImportEntry[] {
  return hostSignatures
    .filter((signature) => groups.has(signature.group) && signature.versions.has(abi))
    .map(({ module, name, type }) => {
      return {
        module: module === "env" ? "env" : "wasi_snapshot_preview1",
        name,
        kind: "function",
        type,
      };
    });
}

/** An address at which a word does not fit any more. */
export const outOfBounds = page - 2;
