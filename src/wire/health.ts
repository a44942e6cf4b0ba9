import { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { checkHealth } from '../domain/health.ts'

export const health = new Hono<AppEnv>().get('/health', async (c) => {
  await checkHealth(c.get('db'), c.get('now'))
  return c.json({ status: 'ok' })
})
