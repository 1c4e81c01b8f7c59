import { Status } from "../../abi/status.ts";
import {
  bytesField,
  readFields,
  textField,
  writeBytes,
  writeVarint,
  type WireField,
} from "../../state/protobuf.ts";
import { badArgument, type ForeignAnswer, type ForeignFunction } from "./foreign-function.ts";
import {
  hashByName,
  isSignature,
  privateKey,
  publicKey,
  signatureOf,
  type ParsedKey,
} from "./native-codecs.ts";

/**
 * Signatures of RSA and of the curves P-224 to P-521. Arguments and results are protobuf messages:
 *
 * | function           | argument                                              | result                       |
 * | ------------------ | ----------------------------------------------------- | ---------------------------- |
 * | `verify_signature` | 1 hash, 2 DER key, 3 signature, 4 text, 5 PEM key     | 1 result, 2 error            |
 * | `sign`             | 1 hash, 2 DER key, 3 text, 4 PEM key                  | 1 result, 2 signature, 3 error |
 *
 * BadArgument for what is no such message, for no key and for two. A key that cannot be used is Ok with an error.
 *
 * Source: Envoy `source/extensions/common/wasm/foreign.cc`, `source/common/crypto/utility_impl.cc`.
 */
export const signatureFunctions: Readonly<Record<string, ForeignFunction>> = {
  verify_signature(argument) {
    const fields = readFields(argument);
    const hash = fields && textField(fields, 1);
    const key = fields && oneKey(fields, 5, publicKey);
    if (fields === undefined || hash === undefined || key === undefined) return badArgument;
    const error = verifyError(hash, key, bytesField(fields, 3), bytesField(fields, 4));
    return result(writeVarint(1, error === "" ? 1 : 0), writeBytes(2, error));
  },

  sign(argument) {
    const fields = readFields(argument);
    const hash = fields && textField(fields, 1);
    const key = fields && oneKey(fields, 4, privateKey);
    if (fields === undefined || hash === undefined || key === undefined) return badArgument;
    const known = hashByName(hash);
    if (typeof key !== "string" && known !== undefined) {
      const signature = signatureOf(known, key, bytesField(fields, 3));
      return result(writeVarint(1, 1), writeBytes(2, signature));
    }
    return result(writeBytes(3, signError(key, hash)));
  },
};

/** The DER key of field 2 or the PEM key of the other field; undefined for none, both, or a PEM that is no text. */
function oneKey(
  fields: readonly WireField[],
  pemNumber: number,
  parse: (key: { der: Uint8Array } | { pem: string }) => ParsedKey,
): ParsedKey | undefined {
  const der = bytesField(fields, 2);
  const pem = textField(fields, pemNumber);
  if (pem === undefined || (pem === "") === (der.length === 0)) return undefined;
  return parse(pem === "" ? { der } : { pem });
}

function verifyError(
  hash: string,
  key: ParsedKey,
  signature: Uint8Array,
  text: Uint8Array,
): string {
  const known = hashByName(hash);
  if (known === undefined) return `${hash} is not supported.`;
  if (typeof key === "string") return "Failed to initialize digest verify.";
  return isSignature(known, key, signature, text) ? "" : "Failed to verify digest. Error code: 0";
}

function signError(key: ParsedKey, hash: string): string {
  if (hashByName(hash) === undefined) return `${hash} is not supported.`;
  if (key === "unreadable") return "Invalid key type: private key required for signing operation.";
  return "Invalid private key: key data is corrupted or malformed.";
}

function result(...parts: readonly Uint8Array[]): ForeignAnswer {
  return { status: Status.Ok, result: Uint8Array.from(parts.flatMap((part) => [...part])) };
}
