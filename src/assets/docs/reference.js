// Zod, inside of Scalar, tries at its start whether the page may compile code. It may not, and the try would be reported.
globalThis.__zod_globalConfig = { jitless: true }

const [{ createApiReference }, content] = await Promise.all([
  import('./standalone.esm.js'),
  fetch('/openapi.json').then((response) => response.text()),
])

createApiReference('#reference', {
  content,
  slug: 'registrar',
  baseServerURL: location.origin,
  // A token goes when the page does: the browser keeps it in no storage.
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'accessToken' },

  // Nothing here calls another host.
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'none',
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },

  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // Beside curl what comes with Node and Python and what most people use; undici and http.client are the tabs' own choice.
  hiddenClients: {
    shell: ['httpie', 'wget'],
    node: ['axios', 'ofetch'],
    python: ['aiohttp', 'httpx_async', 'httpx_sync'],
    ...Object.fromEntries(
      'c clojure csharp dart fsharp go http java js julia kotlin objc ocaml php powershell r ruby rust swift'
        .split(' ')
        .map((language) => [language, true]),
    ),
  },
  // Scalar calls these languages client libraries, which they are not.
  localization: { translations: { clientLibraries: { heading: 'Language of the samples' } } },
  hideModels: true,
  // The guide's headings, which are folded in at first.
  onLoaded: () => document.querySelector('aside button[aria-expanded="false"]')?.click(),
  orderSchemaPropertiesBy: 'preserve',
})
