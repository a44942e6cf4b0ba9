/** Mantine's text and button as links. The compiler checks the path and parameters of their target. */
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Html = Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps | keyof ButtonProps>

export const TextLink = createLink((props: AnchorProps & Html) => <Anchor {...props} />)
export const ButtonLink = createLink((props: ButtonProps & Html) => <Button component="a" {...props} />)
