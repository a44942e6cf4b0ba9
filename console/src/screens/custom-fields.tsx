import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function CustomFields() {
  const words = useWords()
  return <Screen title={words.customFields.title}>{null}</Screen>
}
