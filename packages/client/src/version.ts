/** That of package.json, which a browser cannot read. */
export const VERSION = '3.1.0'
