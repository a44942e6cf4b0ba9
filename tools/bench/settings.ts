/** The load: enough for reliable figures, or with `quick` just enough to see that everything runs. */
export interface Settings {
  connections: number[]
  /** With 16 connections both cores are busy and the figures of single rounds vary, so there are many short ones. */
  rounds: number
  /** The duration of one load. */
  milliseconds: number
  /** The duration of the load before the first round, which is not measured. */
  warmUpMs: number
  /** The numbers of users in the store at which its growth is measured. */
  sizes: number[]
  coldStarts: number
  /** The number of users in the imported file. */
  imported: number
  /** How long each attack lasts, and the number of users in the store of the attacker. */
  attackSeconds: number
  attackedUsers: number
}

export function settings(quick: boolean): Settings {
  return quick
    ? {
        connections: [16],
        rounds: 1,
        milliseconds: 150,
        warmUpMs: 50,
        sizes: [1000, 2000],
        coldStarts: 2,
        imported: 1000,
        attackSeconds: 1,
        attackedUsers: 200,
      }
    : {
        connections: [1, 16],
        rounds: 25,
        milliseconds: 200,
        warmUpMs: 1500,
        sizes: [1000, 1_000_000],
        coldStarts: 15,
        imported: 100_000,
        attackSeconds: 8,
        attackedUsers: 20_000,
      }
}

export type Progress = (step: string) => void
