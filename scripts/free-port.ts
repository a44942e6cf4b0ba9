import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Returns a port that is free at the moment, so that suites that run at the same time share none. Systems choose ports of
 * 32,768 and above for connections, which could take one of those before it is used.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve, reject) => {
    server.on('error', (error) => ('code' in error && error.code === 'EADDRINUSE' ? resolve(false) : reject(error)))
    server.listen(port, 'localhost', () => server.close(() => resolve(true)))
  })
  return isFree ? port : freePort()
}
