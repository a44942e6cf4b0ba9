/** The load: enough for reliable figures, or with `quick` just enough to see that everything runs. */
export interface Settings {
  quick: boolean
  connections: number[]
  /** The numbers of connections when D1 round trips are longer. */
  edgeConnections: number[]
  rounds: number
  /** The duration of one load. */
  milliseconds: number
  /** With so many connections both cores are busy and rounds vary, so operations with a target get more of them. */
  crowded: { connections: number; rounds: number; milliseconds: number }
  /** The duration of the load before the first round, which is not measured. */
  warmUpMs: number
  /** The numbers of users in the store at which its growth is measured. */
  sizes: number[]
  coldStarts: number
  /** The number of users in the imported file. */
  imported: number
  /** The number of accesses that a bulk change changes. */
  bulkAccesses: number
  /** The number of stores of which one is under full load. */
  stores: number
  /** Each D1 round trip takes this much longer, as on the edge. */
  delayMs: number
}

export function settings(quick: boolean): Settings {
  return quick
    ? {
        quick,
        connections: [16],
        edgeConnections: [4],
        rounds: 1,
        milliseconds: 150,
        crowded: { connections: 16, rounds: 1, milliseconds: 150 },
        warmUpMs: 50,
        sizes: [1000, 2000],
        coldStarts: 2,
        imported: 1000,
        bulkAccesses: 2000,
        stores: 20,
        delayMs: 30,
      }
    : {
        quick,
        connections: [1, 16],
        edgeConnections: [1, 4, 16],
        rounds: 11,
        milliseconds: 600,
        crowded: { connections: 16, rounds: 61, milliseconds: 300 },
        warmUpMs: 2000,
        sizes: [1000, 100_000, 1_000_000],
        coldStarts: 15,
        imported: 100_000,
        bulkAccesses: 50_000,
        stores: 1000,
        delayMs: 30,
      }
}

export type Progress = (step: string) => void
