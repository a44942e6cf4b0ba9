/**
 * The last line of a backup. D1 rejects a file that was cut off within a line, and takes one that was cut off behind a line. It is
 * a query and no comment, because D1 has rejected files that end with a comment.
 */
import { open } from 'node:fs/promises'

export const BACKUP_END = `select 'end of the backup';`

/** False for a file that was cut off, and for those of version 3.1.0. */
export async function hasEnd(file: string): Promise<boolean> {
  const end = Buffer.from(`\n${BACKUP_END}\n`)
  await using backup = await open(file)
  const { size } = await backup.stat()
  const { buffer } = await backup.read({ buffer: Buffer.alloc(end.length), position: Math.max(0, size - end.length) })
  return buffer.equals(end)
}
