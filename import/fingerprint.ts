/**
 * 53 bits that tell one file, or one address, from another. Web Crypto has no digest that takes a file in pieces, and
 * nobody attacks his own import: two multiplications a byte and a mix at the end (as MurmurHash3 ends) are enough.
 */
export class Fingerprint {
  #a = 0x811c9dc5
  #b = 0x9747b28c

  add(bytes: Uint8Array): this {
    let a = this.#a
    let b = this.#b
    for (const byte of bytes) {
      a = Math.imul(a ^ byte, 0x01000193)
      b = Math.imul(b ^ byte, 0x5bd1e995)
      b ^= b >>> 15
    }
    this.#a = a
    this.#b = b
    return this
  }

  get value(): number {
    const high = mixed(this.#a ^ (this.#b >>> 16)) & 0x1fffff
    return high * 2 ** 32 + mixed(this.#b ^ (this.#a >>> 13))
  }
}

function mixed(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/**
 * The addresses that a dry run has seen. It writes nothing, so the service cannot know that an earlier batch would have
 * taken an address. At most 32 bytes an address: what a dry run needs beyond the fixed memory of an import.
 */
export class SeenAddresses {
  #table = new Float64Array(1024)
  #count = 0

  /** Whether this is the first time. */
  add(address: string): boolean {
    if (this.#count * 2 >= this.#table.length) this.#grow()
    // 0 marks a free place.
    const key = new Fingerprint().add(new TextEncoder().encode(address)).value || 1
    const at = placeFor(this.#table, key)
    if (this.#table[at] === key) return false
    this.#table[at] = key
    this.#count++
    return true
  }

  #grow(): void {
    const larger = new Float64Array(this.#table.length * 2)
    for (const key of this.#table) if (key !== 0) larger[placeFor(larger, key)] = key
    this.#table = larger
  }
}

function placeFor(table: Float64Array, key: number): number {
  let at = key % table.length
  while (table[at] !== 0 && table[at] !== key) at = (at + 1) % table.length
  return at
}
