/** Shared by the forms that change one access. */
import { Button, Group } from '@mantine/core'
import { useWords } from '../../words/index.tsx'
import type { AccessWithEtag } from './access.ts'

export interface AccessFormProps {
  state: AccessWithEtag
  onClose: () => void
  onReload: () => void
}

/** Loads the current state after a 412. Without it, the operator would have to close the dialog and open it again. */
export function ReloadButton({ onReload }: Pick<AccessFormProps, 'onReload'>) {
  const { common } = useWords()
  return (
    <Group>
      <Button variant="default" onClick={onReload}>
        {common.reload}
      </Button>
    </Group>
  )
}
