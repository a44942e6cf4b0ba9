/** Every statement that is declared after this module was loaded: import it before the service. */
import { type Declared, watchStatements } from '../src/db/statement.ts'

export const declaredStatements: Declared[] = []

watchStatements((declared) => declaredStatements.push(declared))
