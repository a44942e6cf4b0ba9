/** Prints the batches that one run sends to D1, as JSON: those that compare.test.ts sends to workerd's. */
import { mock } from 'node:test'
import { simulate } from '../run.ts'
import { Database } from './sqlite.ts'

const execute = mock.method(Database.prototype, 'execute')
await simulate(Number(process.argv[2]), { place: 'shared' })
process.stdout.write(JSON.stringify(execute.mock.calls.map(({ arguments: [queries] }) => queries)))
