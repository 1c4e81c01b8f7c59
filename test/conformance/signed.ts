/** Keys that sign nothing but probes, and signatures made with them; each a text of one character a byte. */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";

const rsaPrivate = createPrivateKey({
  key: Buffer.from(
    "MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBANBfl/lBkE7xrGzQLvr5zpHM9E3oJmiPtIqn7JDi32" +
      "fsaQ+/HKGaDq4+mvo9cNt6+Aphml2qQJaCUR515hXWAUvUqxnML3T0taGjiQwbnBy/vumN5hio7mJvb0FKl8G2q/Z4" +
      "8+LHszNqAW018bUIrRWPne2h52lpDZxkiXNt+fYnAgMBAAECgYBY3Pul3BUb5ar/+MSgWdqDiWGCvAdtPiPjofucSn" +
      "S2EDc59OnT7SxnmOFk6MDxiP6xBrDbUxkaVtcbY3JNS6ffFq7DB8n0696F7a8Qs8zHF7fZMOf9y7g9QYa5ZAHc+1qM" +
      "CQT5KWVp6oWBGg3TgyRpzyM0Z7Feu8CDKbbdFZ+GcQJBAPS3ejQ07Bod5peeIwFd5XQLXOdE4dEmLy4kmuw+uRY+gu" +
      "K4U0GnPnEUVg9qtXFDEebWHDiSxitnRDjrajBRss8CQQDZ+yMJhTsjA1trRxRYj2XiwHvIAWRjBBEzt6PXzQxtB0z+" +
      "FV0bKvyQ88x1X5IP3N3Ah/Y+LpzM8HuGLW44Zz0pAkEAuejZkefSplSo5e5hMZyfwHURczDFTRrxJODyQR+1hMygqp" +
      "TVyz6/FTEZ4ER060LEytVGQ0ReAINHNObDmUm3yQJBAKeQeWeZJlONAhqeYlKNsSm1A7JE97Fx7/NMqMN8WZ/6a8Iq" +
      "FA+NZOfcsgBMPlC5XTHiknVMiba06o/DnqX3HrkCQCPxFbh2bGB/xXYFGjLkg4RBxX0UWx3swAlh1FOuUFdsGRLFsC" +
      "A/TFIeehUFpHaQAeh8v2fQuo6ba6wXDd5/Tz0=",
    "base64",
  ),
  format: "der",
  type: "pkcs8",
});
const ecPublic = Buffer.from(
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEOYYR+q6jVqpYlcYY67rkvYu6kNM0mm+4vNAbS4b2uw5t084up7WZ3R" +
    "vogD/sCnWn2qNPQYlwGUoeVdzIEDo3Xw==",
  "base64",
);
const edPrivate = createPrivateKey({
  key: Buffer.from("MC4CAQAwBQYDK2VwBCIEIGZ1VX7rquEJr3pY8wxzOABFgKI8/SASMWoLa2lR57wn", "base64"),
  format: "der",
  type: "pkcs8",
});
const rsaPublic = createPublicKey(rsaPrivate);

export const keys = {
  rsaPublicDer: rsaPublic.export({ type: "spki", format: "der" }).toString("latin1"),
  rsaPublicPem: String(rsaPublic.export({ type: "spki", format: "pem" })),
  rsaPrivateDer: rsaPrivate.export({ type: "pkcs8", format: "der" }).toString("latin1"),
  rsaPrivatePem: String(rsaPrivate.export({ type: "pkcs8", format: "pem" })),
  rsaPkcs1Der: rsaPrivate.export({ type: "pkcs1", format: "der" }).toString("latin1"),
  rsaPkcs1Pem: String(rsaPrivate.export({ type: "pkcs1", format: "pem" })),
  /** Of "text", with SHA-256. */
  rsaSignature: sign("sha256", Buffer.from("text"), rsaPrivate).toString("latin1"),
  ecPublicDer: ecPublic.toString("latin1"),
  /** Of "text", with SHA-256; random, so made once. */
  ecSignature: Buffer.from(
    "MEQCIEIe96zy5EIIDOHr+6mvTbLuY6211l3nyE7dgHQQqVmJAiBE24g1jTSmJ/dg0n42lNDXD6LYYjaCnc0X8WYuOs" +
      "ZC1w==",
    "base64",
  ).toString("latin1"),
  edPublicDer: createPublicKey(edPrivate)
    .export({ type: "spki", format: "der" })
    .toString("latin1"),
  edPrivateDer: edPrivate.export({ type: "pkcs8", format: "der" }).toString("latin1"),
} as const;
