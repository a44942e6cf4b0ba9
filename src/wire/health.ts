import type { AppEnv } from '../context.ts'
import { checkHealth } from '../domain/health.ts'
import { Hono } from '../http/hono.ts'

export const health = new Hono<AppEnv>().get('/health', async (c) => {
  await checkHealth(c.get('db'), c.get('now'))
  return c.json({ status: 'ok' })
})
