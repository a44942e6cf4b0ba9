/**
 * All randomness of a run comes from its seed, in named streams. The delays and faults of a request are drawn from the
 * stream of its own name, so that they stay the same when another request is removed (shrink.ts).
 */
export class Random {
  readonly #seed: number
  readonly #name: string
  #state: number

  constructor(seed: number, name = '') {
    this.#seed = seed
    this.#name = name
    this.#state = hash(name, seed)
  }

  /** Returns a number from 0 to below 1. The generator is mulberry32, with 32 bits of state. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** Returns an integer from 0 to below n. */
  below(n: number): number {
    return Math.floor(this.next() * n)
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)]
    if (found === undefined) throw new Error('the list to pick from is empty')
    return found
  }

  /** Picks a name with a probability in proportion to its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const names = Object.keys(weights).filter((name): name is K => name in weights)
    let left = this.next() * names.reduce((sum, name) => sum + weights[name], 0)
    for (const name of names) if ((left -= weights[name]) < 0) return name
    return this.pick(names)
  }

  /**
   * Of thousands of streams, two may reach the same state of 32 bits, and would then draw the same UUID. So a second hash of
   * the name is mixed into the bytes.
   */
  fill<B extends Uint8Array>(bytes: B): B {
    const mark = hash(this.#name, ~this.#seed)
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.below(256) ^ (mark >>> (8 * (i % 4)))
    return bytes
  }

  /** Returns the stream of this name. What was drawn from other streams does not affect it. */
  stream(name: string): Random {
    return new Random(this.#seed, name)
  }
}

/** FNV-1a with a final mix. Without the mix, names that differ in the last letter have similar first numbers. */
function hash(text: string, seed: number): number {
  let h = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
