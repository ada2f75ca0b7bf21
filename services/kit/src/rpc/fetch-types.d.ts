/** Connect's types name this DOM type, which Node's own types leave out. */
type HeadersInit = ConstructorParameters<typeof Headers>[0];
