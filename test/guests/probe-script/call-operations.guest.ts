/** Calls that leave the host, and what they left behind. */
import * as host from "./imports.guest";
import { Operation } from "./operation.guest";
import { clearOut, Form, outBytes, outWord } from "./out.guest";
import { bytesOfHex, pairsOf, roomOf } from "./words.guest";

const ownWord = memory.data(4, 4);

/** What comes after ` = `; null when the operation is none of these. */
export function callOperation(op: Operation): string | null {
  const name = op.name;
  if (name == "call") return httpCall(op);
  if (name == "grpc_call") return grpcCall(op);
  if (name == "grpc_stream") return grpcStream(op);
  if (name == "grpc_send") {
    const message = op.room(2);
    return host.grpcSend(op.number(1), message.ptr, message.size, op.number(3)).toString();
  }
  if (name == "grpc_cancel") return host.grpcCancel(op.number(1)).toString();
  if (name == "grpc_close") return host.grpcClose(op.number(1)).toString();
  if (name == "getstatus") {
    const out = clearOut();
    const status = host.getStatus(out + 8, out, out + 4);
    return status.toString() + " code=" + outWord(8) + " " + outBytes();
  }
  if (name == "dns") {
    const address = op.room(1);
    const out = clearOut();
    // The answer may come before the call returns, and what its line does uses the shared words.
    store<u32>(ownWord, load<u32>(out));
    const status = host.resolveDns(address.ptr, address.size, ownWord);
    store<u32>(clearOut(), load<u32>(ownWord));
    return status.toString() + op.token(0, false);
  }
  if (name == "foreign") return foreign(op);
  return null;
}

/** call CLUSTER PAIRS BODY TRAILERS TIMEOUT */
function httpCall(op: Operation): string {
  const cluster = op.room(1);
  const headers = roomOf(pairsOf(op.word(2)));
  const body = op.room(3);
  const trailers = roomOf(pairsOf(op.word(4)));
  const timeout = op.number(5);
  const out = clearOut();
  // prettier-ignore
  const status = host.httpCall(cluster.ptr, cluster.size, headers.ptr, headers.size, body.ptr, body.size, trailers.ptr, trailers.size, timeout, out);
  return status.toString() + op.token(0, true);
}

/** grpc_call SERVICE NAME METHOD PAIRS MESSAGE TIMEOUT */
function grpcCall(op: Operation): string {
  const service = op.room(1);
  const name = op.room(2);
  const method = op.room(3);
  const pairs = roomOf(pairsOf(op.word(4)));
  const message = op.room(5);
  const timeout = op.number(6);
  const out = clearOut();
  // prettier-ignore
  const status = host.grpcCall(service.ptr, service.size, name.ptr, name.size, method.ptr, method.size, pairs.ptr, pairs.size, message.ptr, message.size, timeout, out);
  return status.toString() + op.token(0, true);
}

/** grpc_stream SERVICE NAME METHOD PAIRS */
function grpcStream(op: Operation): string {
  const service = op.room(1);
  const name = op.room(2);
  const method = op.room(3);
  const pairs = roomOf(pairsOf(op.word(4)));
  const out = clearOut();
  // prettier-ignore
  const status = host.grpcStream(service.ptr, service.size, name.ptr, name.size, method.ptr, method.size, pairs.ptr, pairs.size, out);
  return status.toString() + op.token(0, true);
}

/** foreign NAME HEX; `^none` as a third word: no place for the result. */
function foreign(op: Operation): string {
  const name = op.room(1);
  const argument = roomOf(bytesOfHex(op.word(2)));
  const out = clearOut();
  const isWanted = op.word(3) != "^none";
  const ptr = isWanted ? out : 0;
  const size = isWanted ? out + 4 : 0;
  // prettier-ignore
  const status = host.callForeignFunction(name.ptr, name.size, argument.ptr, argument.size, ptr, size);
  return status.toString() + " " + outBytes(Form.value);
}
