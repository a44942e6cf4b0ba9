/** Prints the usage and exits if the command line asks for help. Call it first, or help needs a valid configuration. */
export function answerHelp(usage: string): void {
  if (!process.argv.includes('--help') && !process.argv.includes('-h')) return
  console.log(usage)
  process.exit(0)
}
