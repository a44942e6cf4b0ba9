/** Archives that promise too much, are damaged, or come from unusual writers. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { openArchive } from '../archive.ts'
import type { Source } from '../source.ts'
import { sourceOf } from './memory.ts'
import { type ZipEntry, zipOf } from './workbook.ts'

function archive(entries: Record<string, ZipEntry>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zipOf(entries))
}

async function textIn(source: Source, name: string, isLarge = false): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of (await openArchive(source, isLarge)).read(name)) parts.push(chunk)
  return Buffer.concat(parts).toString()
}

const TOO_LARGE = /unpacked, the workbook would take \d+ MB: .* add --large-files/

describe('An archive', () => {
  it('that promises more than 100 MB is refused before it is unpacked, unless it may be large', async () => {
    // What it contains is no deflated data, so unpacking it would fail with another error.
    const bytes = archive({ a: { content: Buffer.alloc(2_000_000), isPacked: true, promise: 101_000_000 } })
    await assert.rejects(openArchive(sourceOf(bytes), false), { name: 'FileError', message: TOO_LARGE })
    assert.deepEqual((await openArchive(sourceOf(bytes), true)).names, ['a'])
  })

  it('that promises more than 100 times its size is refused', async () => {
    const text = ' '.repeat(200_000)
    const bytes = archive({ a: { content: deflateRawSync(text), isPacked: true, promise: text.length } })
    assert.ok(bytes.length * 100 < text.length)
    await assert.rejects(openArchive(sourceOf(bytes), false), TOO_LARGE)
    assert.equal(await textIn(sourceOf(bytes), 'a', true), text)
  })

  it('that contains more or less than it promises is damaged', async () => {
    const text = 'a text that is longer than it says'
    for (const promise of [5, 500]) {
      const bytes = archive({ a: { content: deflateRawSync(text), isPacked: true, promise } })
      await assert.rejects(textIn(sourceOf(bytes), 'a'), /the archive is damaged/)
    }
  })

  it('is damaged if its content or its directory is', async () => {
    const bytes = archive({ a: { content: Buffer.from('no deflated data'), isPacked: true, promise: 16 } })
    await assert.rejects(textIn(sourceOf(bytes), 'a'), /the archive is damaged/)
    const whole = archive({ a: { content: Buffer.from('text') } })
    for (let length = 4; length < whole.length; length++)
      await assert.rejects(textIn(sourceOf(whole.subarray(0, length)), 'a'), /the archive is damaged/)
  })

  it('may have long numbers, a comment, and names with backslashes', async () => {
    const entry = { content: deflateRawSync('text'), isPacked: true, promise: 4, isLong: true }
    const bytes = Buffer.concat([zipOf({ 'xl\\a': entry }), Buffer.from('a comment')])
    assert.equal(await textIn(sourceOf(new Uint8Array(bytes)), 'XL/A'), 'text')
  })

  it('is read in parts, if the source has them', async () => {
    const bytes = archive({ a: { content: Buffer.alloc(1_000_000, 'x') }, b: { content: Buffer.from('text') } })
    let read = 0
    const source = {
      ...sourceOf(bytes),
      async *openSlice(start: number, end: number) {
        read += end - start
        yield bytes.slice(start, end)
      },
    }
    assert.equal(await textIn(source, 'b'), 'text')
    assert.ok(read < 100_000, `${read} bytes`)
  })
})
