/**
 * A hash of 53 bits that distinguishes files and emails. Web Crypto cannot hash a file in chunks, and nobody attacks
 * their own import, so two multiplications per byte and the final mix of MurmurHash3 are enough.
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
    const high = mix(this.#a ^ (this.#b >>> 16)) & 0x1fffff
    return high * 2 ** 32 + mix(this.#b ^ (this.#a >>> 13))
  }
}

function mix(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/**
 * The emails that a dry run has seen. A dry run writes nothing, so the service cannot know that an earlier batch would
 * have used an email, and the prediction would be wrong. Each email takes at most 32 bytes of memory.
 */
export class SeenEmails {
  #table = new Float64Array(1024)
  #count = 0

  /** Returns true if the email was not added before. */
  add(email: string): boolean {
    if (this.#count * 2 >= this.#table.length) this.#grow()
    // 0 marks a free slot, so the hash 0 is stored as 1.
    const key = new Fingerprint().add(new TextEncoder().encode(email)).value || 1
    const slot = slotFor(this.#table, key)
    if (this.#table[slot] === key) return false
    this.#table[slot] = key
    this.#count++
    return true
  }

  #grow(): void {
    const larger = new Float64Array(this.#table.length * 2)
    for (const key of this.#table) if (key !== 0) larger[slotFor(larger, key)] = key
    this.#table = larger
  }
}

function slotFor(table: Float64Array, key: number): number {
  let slot = key % table.length
  while (table[slot] !== 0 && table[slot] !== key) slot = (slot + 1) % table.length
  return slot
}
