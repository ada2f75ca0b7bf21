import type { JsonSchema as Schema } from '../requests/json-schema.ts';

export type { Schema };
export type Ref = { readonly $ref: string };

export type Example = { readonly summary: string; readonly value: unknown };
export type Examples = Readonly<Record<string, Example>>;

export type MediaType = { readonly schema: Schema; readonly examples: Examples };
export type Content = { readonly 'application/json': MediaType };

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example: string | number;
};

export type Header = {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example: string | number;
};

export type RequestBody = { readonly description: string; readonly required: boolean; readonly content: Content };

export type Response = {
  readonly description: string;
  readonly headers: Readonly<Record<string, Ref>>;
  /** Absent where the body is empty. */
  readonly content?: Content;
  readonly links?: Readonly<Record<string, Link>>;
};

export type Link = {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, string>>;
};

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | Ref)[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response | Ref>>;
};

export type PathItem = { readonly get?: Operation; readonly post?: Operation };

/** OpenAPI 3.1, as far as this document uses it. */
export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly externalDocs: { readonly description: string; readonly url: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
};
