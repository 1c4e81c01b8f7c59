/** Header maps, buffers, streams and local replies. */
import * as host from "./imports.guest";
import { Operation } from "./operation.guest";
import { clearOut, Form, outBytes, outWord } from "./out.guest";
import { bytesOfHex, pairsOf, roomOf } from "./words.guest";

/** What comes after ` = `; null when the operation is none of these. */
export function httpOperation(op: Operation): string | null {
  const maps = mapOperation(op);
  if (maps != null) return maps;
  const name = op.name;
  if (name == "get") {
    const out = clearOut();
    const status = host.getBuffer(op.number(1), op.number(2), op.number(3), out, out + 4);
    return status.toString() + " " + outBytes();
  }
  if (name == "set") {
    const data = op.room(4);
    const start = op.number(2);
    return host.setBuffer(op.number(1), start, op.number(3), data.ptr, data.size).toString();
  }
  if (name == "bufstatus") {
    const out = clearOut();
    const status = host.getBufferStatus(op.number(1), out, out + 4);
    return status.toString() + " size=" + outWord(0) + " flags=" + outWord(4);
  }
  if (name == "continue") return host.continueStream(op.number(1)).toString();
  if (name == "close") return host.closeStream(op.number(1)).toString();
  return name == "reply" ? reply(op) : null;
}

function mapOperation(op: Operation): string | null {
  const name = op.name;
  const map = op.number(1);
  if (name == "value") {
    const key = op.room(2);
    const out = clearOut();
    const status = host.getHeader(map, key.ptr, key.size, out, out + 4);
    return status.toString() + " " + outBytes();
  }
  if (name == "pairs") {
    const out = clearOut();
    const status = host.getPairs(map, out, out + 4);
    return status.toString() + " " + outBytes(Form.pairs);
  }
  if (name == "size") {
    const out = clearOut();
    const status = host.getHeaderMapSize(map, out);
    return status.toString() + " " + outWord(0);
  }
  if (name == "add" || name == "replace") {
    const key = op.room(2);
    const value = op.room(3);
    const status =
      name == "add"
        ? host.addHeader(map, key.ptr, key.size, value.ptr, value.size)
        : host.replaceHeader(map, key.ptr, key.size, value.ptr, value.size);
    return status.toString();
  }
  if (name == "remove") {
    const key = op.room(2);
    return host.removeHeader(map, key.ptr, key.size).toString();
  }
  if (name == "setpairs" || name == "setraw") {
    const blob = roomOf(name == "setraw" ? bytesOfHex(op.word(2)) : pairsOf(op.word(2)));
    return host.setPairs(map, blob.ptr, blob.size).toString();
  }
  return null;
}

/** reply CODE BODY [PAIRS] [GRPC] [DETAILS] */
function reply(op: Operation): string {
  const body = op.room(2);
  const pairs = roomOf(pairsOf(op.word(3)));
  const grpc = op.has(4) ? <i32>op.long(4) : -1;
  const details = op.has(5) ? op.room(5) : roomOf("");
  const code = op.number(1);
  // prettier-ignore
  const status = host.sendLocalResponse(code, details.ptr, details.size, body.ptr, body.size, pairs.ptr, pairs.size, grpc);
  return status.toString();
}
