/** Shared data, shared queues, metrics and properties. */
import * as host from "./imports.guest";
import { Operation } from "./operation.guest";
import { clearOut, Form, outBytes, outLong, outWord } from "./out.guest";
import { bytesOf, roomOf } from "./words.guest";

/** What comes after ` = `; null when the operation is none of these. */
export function stateOperation(op: Operation): string | null {
  const name = op.name;
  if (name == "sget") {
    const key = op.room(1);
    const out = clearOut();
    const status = host.getSharedData(key.ptr, key.size, out, out + 4, out + 8);
    return status.toString() + " cas=" + outWord(8) + " " + outBytes();
  }
  if (name == "sset") {
    const key = op.room(1);
    const value = op.room(2);
    return host.setSharedData(key.ptr, key.size, value.ptr, value.size, op.number(3)).toString();
  }
  if (name == "prop" || name == "propsize") {
    const path = roomOf(pathOf(op.word(1)));
    const out = clearOut();
    const status = host.getProperty(path.ptr, path.size, out, out + 4);
    if (name == "propsize") return status.toString() + " size=" + outWord(4);
    return status.toString() + " " + outBytes(Form.value);
  }
  if (name == "setprop") {
    const path = roomOf(pathOf(op.word(1)));
    const value = op.room(2);
    return host.setProperty(path.ptr, path.size, value.ptr, value.size).toString();
  }
  const queue = queueOperation(op);
  return queue == null ? metricOperation(op) : queue;
}

/** Components `A,B,C`, each with its own `%XX`. */
function pathOf(word: string): string {
  const parts = word.split(",");
  for (let index = 0; index < parts.length; index++) parts[index] = bytesOf(parts[index]);
  return parts.join("\0");
}

function queueOperation(op: Operation): string | null {
  const name = op.name;
  if (name == "qreg") {
    const queue = op.room(1);
    const out = clearOut();
    const status = host.registerQueue(queue.ptr, queue.size, out);
    return status.toString() + op.token(0, false);
  }
  if (name == "qres") {
    const vmId = op.room(1);
    const queue = op.room(2);
    const out = clearOut();
    const status = host.resolveQueue(vmId.ptr, vmId.size, queue.ptr, queue.size, out);
    return status.toString() + op.token(0, false);
  }
  if (name == "qput") {
    const value = op.room(2);
    return host.enqueue(op.number(1), value.ptr, value.size).toString();
  }
  if (name == "qget") {
    const out = clearOut();
    const status = host.dequeue(op.number(1), out, out + 4);
    return status.toString() + " " + outBytes();
  }
  return null;
}

function metricOperation(op: Operation): string | null {
  const name = op.name;
  if (name == "mdef") {
    const metric = op.room(2);
    const out = clearOut();
    const status = host.defineMetric(op.number(1), metric.ptr, metric.size, out);
    return status.toString() + op.token(0, false);
  }
  if (name == "minc") return host.incrementMetric(op.number(1), op.long(2)).toString();
  if (name == "mrec") return host.recordMetric(op.number(1), op.long(2)).toString();
  if (name == "mget") {
    const out = clearOut();
    const status = host.getMetric(op.number(1), out + 8);
    return status.toString() + " " + outLong();
  }
  return null;
}
