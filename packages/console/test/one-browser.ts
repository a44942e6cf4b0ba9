/**
 * main.ts starts this process, and sends it one test file after another. The files share a browser, which has then compiled the
 * console: a browser that starts, and its first page, cost a second.
 */
import { once } from 'node:events'
import { resolve } from 'node:path'
import { after, describe } from 'node:test'
import { pathToFileURL } from 'node:url'
// Here, because its browser is closed after the last file.
import './service.ts'

/** Has the next file sent. Its suite waits before that of the last one has ended: without any, the run would be over. */
async function next(): Promise<void> {
  const added = once(process, 'message')
  process.send?.('next')
  await added
}

process.on('message', (file) => {
  if (typeof file !== 'string' || file === '') return process.disconnect()
  void describe(file, async () => {
    after(next)
    await import(pathToFileURL(resolve(file)).href)
  })
})
await next()
