import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Job } from '../../import/job.ts'

/** Reads the chosen file again, without what is kept of its earlier import. */
export function ForgetButton({ job, label }: { job: Job; label: string }) {
  const [isRemoving, setRemoving] = useState(false)
  return (
    <Button
      variant="default"
      loading={isRemoving}
      onClick={async () => {
        setRemoving(true)
        await job.forget()
      }}
    >
      {label}
    </Button>
  )
}
