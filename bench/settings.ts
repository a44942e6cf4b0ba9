/** How much of everything is measured: enough for a figure, or just enough to see that it runs. */
export interface Settings {
  quick: boolean
  connections: number[]
  /** The same, with a longer D1 round trip. */
  edgeConnections: number[]
  rounds: number
  /** Of one load. */
  milliseconds: number
  /** Of what is judged with so many connections: both cores are full then, and one round says little. */
  crowded: { connections: number; rounds: number; milliseconds: number }
  /** Of the load before the first round, which is not measured. */
  warmUpMs: number
  /** Users in the store, for growth. */
  sizes: number[]
  coldStarts: number
  /** Users of the file that is imported. */
  imported: number
  /** What a D1 round trip takes longer, as on the edge. */
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
        delayMs: 30,
      }
}

export type Progress = (step: string) => void
