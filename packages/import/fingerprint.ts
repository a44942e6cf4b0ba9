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

  /** Its code units are added, so it is not the fingerprint of its bytes. */
  addText(text: string): this {
    let a = this.#a
    let b = this.#b
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, 0x01000193)
      b = Math.imul(b ^ code, 0x5bd1e995)
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
 * The emails of earlier rows, with the numbers of those rows. A dry run writes nothing, so the service cannot know that an
 * earlier batch would have used an email, and the prediction would be wrong. Each email takes at most 64 bytes of memory.
 */
export class SeenEmails {
  #keys = new Float64Array(1024)
  #rows = new Float64Array(1024)
  #count = 0
  readonly #max: number

  constructor(max = Number.POSITIVE_INFINITY) {
    this.#max = max
  }

  /** Returns the row to which the email was added first, and undefined if it was not. */
  find(email: string): number | undefined {
    const slot = slotFor(this.#keys, keyOf(email))
    return this.#keys[slot] === 0 ? undefined : this.#rows[slot]
  }

  /** Does nothing once there are `max` emails. */
  add(email: string, row: number): void {
    if (this.#count >= this.#max) return
    if (this.#count * 2 >= this.#keys.length) this.#grow()
    this.#put(keyOf(email), row)
  }

  #put(key: number, row: number): void {
    const slot = slotFor(this.#keys, key)
    if (this.#keys[slot] !== 0) return
    this.#keys[slot] = key
    this.#rows[slot] = row
    this.#count++
  }

  #grow(): void {
    const [keys, rows] = [this.#keys, this.#rows]
    this.#keys = new Float64Array(keys.length * 2)
    this.#rows = new Float64Array(keys.length * 2)
    this.#count = 0
    for (const [i, key] of keys.entries()) if (key !== 0) this.#put(key, rows[i] ?? 0)
  }
}

/** 0 marks a free slot, so the hash 0 is stored as 1. */
function keyOf(email: string): number {
  return new Fingerprint().add(new TextEncoder().encode(email)).value || 1
}

function slotFor(table: Float64Array, key: number): number {
  let slot = key % table.length
  while (table[slot] !== 0 && table[slot] !== key) slot = (slot + 1) % table.length
  return slot
}
