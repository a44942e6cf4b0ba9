import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function Products() {
  const words = useWords()
  return <Screen title={words.products.title}>{null}</Screen>
}
