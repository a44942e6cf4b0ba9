import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** The green of the logo, from its lightest to its darkest shade. */
const green: MantineColorsTuple = [
  '#ecf6f2',
  '#d8eae3',
  '#afd5c6',
  '#82bfa8',
  '#5dac8f',
  '#459f7f',
  '#379977',
  '#2a7f62',
  '#216b52',
  '#125a43',
]

export const theme = createTheme({
  colors: { green },
  primaryColor: 'green',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // A long email in a label would be cut off on a phone, and could not be typed to confirm.
  components: { InputWrapper: { styles: { label: { overflowWrap: 'anywhere' } } } },
})

/**
 * Mantine's own colors for dimmed text, errors and orange alerts have less contrast than WCAG 2 requires (4.5 to 1).
 */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-orange-light-color': '#a8370a',
  },
  dark: {
    '--mantine-color-anchor': colors.green[3],
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[5],
  },
})
