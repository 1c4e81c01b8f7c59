import { MockHostError } from "../errors.ts";
import type { InspectResult, Profile } from "../index.ts";
import {
  inspectModule,
  loadingProfiles,
  loadModule,
  profileByName,
  readModuleFile,
} from "../index.ts";
import { ExitCode, type ExitCodeValue } from "./exit-code.ts";
import { inspectText, type Refusals } from "./inspect-text.ts";
import { writeAll, type Streams } from "./output.ts";
import { profileOf } from "./run-options.ts";
import { showsColor, widthOf } from "./terminal.ts";

/** As commander hands them over. */
export interface InspectOptions {
  readonly json?: boolean;
  readonly profile?: string;
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** `inspect PLUGIN.wasm` */
export async function inspect(
  file: string,
  options: InspectOptions,
  streams: Streams,
): Promise<ExitCodeValue> {
  const profile =
    options.profile === undefined ? undefined : profileByName(profileOf(options.profile));
  const { bytes, result } = read(file, profile);
  if (options.json === true) {
    await writeAll(streams.stdout, `${JSON.stringify({ file, ...result })}\n`);
  } else if (options.quiet !== true) {
    const color = options.color && showsColor(streams.stdout);
    const text = inspectText(file, result, refusals(bytes), {
      color,
      width: widthOf(streams.stdout),
    });
    await writeAll(streams.stdout, text);
  }
  return ExitCode.fine;
}

/** A module is no text: whatever is wrong with it stands at its first line and column. */
function read(
  file: string,
  profile: Profile | undefined,
): { bytes: Uint8Array; result: InspectResult } {
  try {
    const bytes = readModuleFile(file);
    const result = inspectModule(bytes, loadingProfiles);
    if (result.abi.length === 0) {
      throw new MockHostError(
        "E_ABI_VERSION",
        "no proxy-wasm module: it exports no proxy_abi_version_* marker",
        {
          remedy:
            "name a plugin's module; an AssemblyScript plugin exports proxy-wasm-as/assembly/abi",
        },
      );
    }
    if (profile !== undefined) loadModule(bytes, profile, file);
    return { bytes, result };
  } catch (error) {
    if (!(error instanceof MockHostError)) throw error;
    throw new MockHostError(error.code, error.what, {
      place: `${file}:1:1`,
      remedy: error.remedy ?? "name another module",
      cause: error,
    });
  }
}

/** What each host says of the module when it loads it. */
function refusals(bytes: Uint8Array): Refusals {
  return new Map(loadingProfiles.map((profile) => [profile.name, refusal(bytes, profile)]));
}

function refusal(bytes: Uint8Array, profile: Profile): string {
  try {
    loadModule(bytes, profile, profile.name);
    return "";
  } catch (error) {
    if (!(error instanceof MockHostError)) throw error;
    return error.remedy === undefined ? error.what : `${error.what}; ${error.remedy}`;
  }
}
