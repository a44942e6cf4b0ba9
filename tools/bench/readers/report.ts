/** Prints what a reader took. CPU times include the start of the process, which is the same for all. */
export function report(rows: number, started: number): void {
  const { user, system } = process.cpuUsage()
  console.log(
    JSON.stringify({
      rows,
      seconds: (performance.now() - started) / 1000,
      cpuSeconds: (user + system) / 1_000_000,
      megabytes: Math.round(process.resourceUsage().maxRSS / 1024),
    }),
  )
}
