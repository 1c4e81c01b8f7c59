/**
 * What Envoy has from zlib and BoringSSL, and this host from Node: the one place of these rooms with `node:` built-ins.
 */
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import { deflateSync, inflateSync } from "node:zlib";
import { MockHostError } from "../../errors.ts";

/** As zlib's `compress` makes it: level 6, window of 32 KiB. */
export function compress(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(deflateSync(bytes));
}

const outputBytesMax = 1024 * 1024 * 1024;

/** Undefined for what is no complete zlib stream; what follows the stream is left alone. */
export function uncompress(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return Uint8Array.from(inflateSync(bytes, { maxOutputLength: outputBytesMax }));
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_BUFFER_TOO_LARGE") return undefined;
    throw new MockHostError("E_UNSUPPORTED", "uncompress makes more than 1 GiB", {
      remedy: "no guest's memory holds it; a real Envoy crashes",
    });
  }
}

const hashes: ReadonlySet<string> = new Set(["sha1", "sha224", "sha256", "sha384", "sha512"]);

/** The hash that a name in any case means; undefined for one that is not offered. */
export function hashByName(name: string): string | undefined {
  const lower = name.toLowerCase();
  return hashes.has(lower) ? lower : undefined;
}

/** A key of a type that is verified and signed with here, or why there is none. */
export type ParsedKey = KeyObject | "unreadable" | "another type";

/** A public key: DER of SubjectPublicKeyInfo, bytes behind it ignored, or the PEM of one. */
export function publicKey(key: { der: Uint8Array } | { pem: string }): ParsedKey {
  if ("pem" in key) {
    if (!key.pem.includes("-----BEGIN PUBLIC KEY-----")) return "unreadable";
    return parsed(() => createPublicKey(key.pem));
  }
  const der = derOf(key.der);
  return parsed(() => createPublicKey({ key: der, format: "der", type: "spki" }));
}

/** A private key: DER of PKCS #8, or PEM, of PKCS #1 and SEC 1 too. */
export function privateKey(key: { der: Uint8Array } | { pem: string }): ParsedKey {
  if ("pem" in key) return parsed(() => createPrivateKey(key.pem));
  const der = derOf(key.der);
  return parsed(() => createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
}

export function isSignature(
  hash: string,
  key: KeyObject,
  signature: Uint8Array,
  text: Uint8Array,
): boolean {
  return verify(hash, text, key, signature);
}

/** E_UNSUPPORTED for an elliptic curve, whose signatures are random and would make no two runs alike. */
export function signatureOf(hash: string, key: KeyObject, text: Uint8Array): Uint8Array {
  if (key.asymmetricKeyType === "ec") {
    throw new MockHostError("E_UNSUPPORTED", "sign with a key of an elliptic curve", {
      remedy: "its signatures are random; sign with an RSA key",
    });
  }
  return Uint8Array.from(sign(hash, text, key));
}

const curves: ReadonlySet<string> = new Set(["secp224r1", "prime256v1", "secp384r1", "secp521r1"]);

function parsed(parse: () => KeyObject): ParsedKey {
  let key: KeyObject;
  try {
    key = parse();
  } catch {
    return "unreadable";
  }
  if (key.asymmetricKeyType === "rsa") return key;
  const curve = key.asymmetricKeyDetails?.namedCurve ?? "";
  return key.asymmetricKeyType === "ec" && curves.has(curve) ? key : "another type";
}

/** The one DER element that the bytes begin with, as Node's Buffer. */
function derOf(bytes: Uint8Array): Buffer {
  const first = bytes[1] ?? 0;
  let size = first;
  let header = 2;
  if (first > 0x80) {
    header += first - 0x80;
    size = bytes.slice(2, header).reduce((sum, byte) => sum * 256 + byte, 0);
  }
  return Buffer.from(bytes.slice(0, header + size));
}
