/** What the modules of the console read of a browser, for tests without one. A test imports this before them. */
Object.assign(globalThis, {
  location: new URL('http://localhost:8787'),
  sessionStorage: { getItem: () => null },
  // That of Node would keep the process of the test running.
  BroadcastChannel: EventTarget,
})
