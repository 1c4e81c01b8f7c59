/**
 * Everything that can go wrong in the host, by name. A violated property is a verdict, not an error;
 * docs/reference/error-codes.md has an entry for each code (a test compares the two lists).
 */
export type UserErrorCode =
  /** The file cannot be read. */
  | "E_FILE"
  /** The bytes are not a WebAssembly module. */
  | "E_NOT_WASM"
  /** The module carries no ABI marker the profile accepts. */
  | "E_ABI_VERSION"
  /** The module imports functions the profile does not provide. */
  | "E_MISSING_IMPORT"
  /** An import or a known export has another type than the host's. */
  | "E_SIGNATURE"
  /** The module exports neither malloc nor proxy_on_memory_allocate. */
  | "E_NO_ALLOCATOR"
  /** The module calls the host and has no memory for it, or starts with one above 1 GiB. */
  | "E_MEMORY"
  /** The module makes a host call in its start section; a real Envoy crashes there. */
  | "E_START_SECTION"
  /** A plugin did not start, or refused its configuration. */
  | "E_PLUGIN_START"
  /** An option, a duration or a name given to the host is wrong. */
  | "E_OPTION"
  /** No thread, plugin, cluster or profile of that name. */
  | "E_UNKNOWN_NAME"
  /** A plugin called a cluster nobody declared. */
  | "E_UNDECLARED_CLUSTER"
  /** A plugin asked for something that Envoy has and this host does not. */
  | "E_UNSUPPORTED"
  /** What was asked cannot be done in the present state (a dead thread, a finished run). */
  | "E_STATE"
  /** A scenario file is wrong: syntax, an unknown key, a wrong tag, a bad unit, a reference to nothing. */
  | "E_SCENARIO"
  /** The command line is wrong. */
  | "E_USAGE";

export type OurErrorCode =
  /** A broken invariant of the host itself. */
  "E_INTERNAL";

export type ErrorCode = UserErrorCode | OurErrorCode;

export interface ErrorParts {
  /** Where: `FILE:LINE:COLUMN`, or VM, callback and call. */
  readonly place?: string;
  /** What the reader should do about it. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/** The one error class of the host; its message is `PLACE: what; what to do`. */
export class MockHostError extends Error {
  readonly code: ErrorCode;
  readonly place: string | undefined;
  readonly what: string;
  readonly remedy: string | undefined;

  constructor(code: ErrorCode, what: string, parts: ErrorParts = {}) {
    const where = parts.place === undefined ? "" : `${parts.place}: `;
    const remedy = parts.remedy === undefined ? "" : `; ${parts.remedy}`;
    super(`${where}${what}${remedy}`, { cause: parts.cause });
    this.name = "MockHostError";
    this.code = code;
    this.place = parts.place;
    this.what = what;
    this.remedy = parts.remedy;
  }

  /** True for a fault of ours: exit code 70 and a request to report it. */
  get isOurs(): boolean {
    return this.code === "E_INTERNAL";
  }
}
