export type Task = 'extend' | 'close' | 'reopen'

/** A task for the accesses that were selected when the operator chose it. */
export interface BulkJob {
  task: Task
  ids: string[]
}
