export class Cache {
  #entries = new Map();
  constructor(limit) { this.limit = limit; }
  get(key) {
    const value = this.#entries.get(key);
    if (value !== undefined) { this.#entries.delete(key); this.#entries.set(key, value); }
    return value;
  }
  set(key, value) {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    while (this.#entries.size > this.limit) this.#entries.delete(this.#entries.keys().next().value);
  }
}
