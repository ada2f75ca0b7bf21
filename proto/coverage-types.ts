import { getOption } from '@bufbuild/protobuf';
import {
  coverage,
  coverage_list_version,
  CoverageType,
  CoverageTypeSchema,
} from './gen/pfq/pricing/v1/coverage_type_pb.ts';

/** One coverage type as integrators are told of it. */
export type CoverageTypeEntry = {
  /** What requests name, such as "general_liability". */
  readonly type: string;
  readonly name: string;
  readonly definition: string;
  readonly aliases: readonly string[];
  readonly flags: readonly string[];
};

const NAME_PREFIX = 'COVERAGE_TYPE_';

/** Every coverage type that requests may name, in the order of the proto. */
export const COVERAGE_TYPES: readonly CoverageTypeEntry[] = CoverageTypeSchema.values
  .filter((value) => value.number !== CoverageType.UNSPECIFIED)
  .map((value) => {
    const { name, definition, aliases, flags } = getOption(value, coverage);
    return { type: value.name.slice(NAME_PREFIX.length).toLowerCase(), name, definition, aliases, flags };
  });

/** Recorded with every quote. */
export const COVERAGE_LIST_VERSION: string = getOption(CoverageTypeSchema, coverage_list_version);
