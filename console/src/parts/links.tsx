/** Mantine's texts and buttons as links to a screen, whose address and parameters the compiler checks. */
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Html = Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps | keyof ButtonProps>

export const TextLink = createLink((props: AnchorProps & Html) => <Anchor {...props} />)
export const ButtonLink = createLink((props: ButtonProps & Html) => <Button component="a" {...props} />)
