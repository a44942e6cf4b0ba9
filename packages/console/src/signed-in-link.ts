/** main.tsx imports this file before the router, which would take the token in the address for the path of a screen. */
import { takeTokenFromAddress } from './api/token.ts'

takeTokenFromAddress()
