/** A number or a bool in the place of an object. */
class Box<T> {
  constructor(public readonly value: T) {}
}

/**
 * What a plugin keeps in a context under names of its own. The values differ in type, so each is
 * checked on its way out. A context has a handful of them, which a list serves better than a hash
 * table.
 */
export class ContextValues {
  private keys: Array<string> = [];
  private values: Array<Object> = [];

  set<T>(key: string, value: T): void {
    if (isReference<T>()) this.keep(key, changetype<Object>(value));
    else if (isBoolean<T>()) this.keep(key, changetype<Object>(new Box<bool>(<bool>value)));
    else if (isInteger<T>()) this.keep(key, changetype<Object>(new Box<i64>(<i64>value)));
    else this.keep(key, changetype<Object>(new Box<f64>(<f64>value)));
  }

  get<T>(key: string): T | null {
    const at = this.keys.indexOf(key);
    if (at < 0) return null;
    const value = unchecked(this.values[at]);
    return value instanceof T ? changetype<T>(value) : null;
  }

  scalar<T>(key: string, otherwise: T): T {
    const at = this.keys.indexOf(key);
    if (at < 0) return otherwise;
    const value = unchecked(this.values[at]);
    return value instanceof Box<T> ? changetype<Box<T>>(value).value : otherwise;
  }

  private keep(key: string, value: Object): void {
    const at = this.keys.indexOf(key);
    if (at >= 0) {
      this.values[at] = value;
    } else {
      this.keys.push(key);
      this.values.push(value);
    }
  }
}
