import { JsonObject, kindOf } from '@pfq/kit/json';
import type { Place } from '@pfq/kit/problems';
import { flawIn, isLonger } from '@pfq/kit/texts';
import type { Schema } from './schema.ts';
import { anyText } from './texts.ts';

export type StringPair = readonly [name: string, value: string];

/** An object of the caller's own names, read as pairs in the order sent. Any name is a name: `__proto__` and "" too. */
export function stringPairs(limits: { pairs: number; name: number; value: number }): Schema<readonly StringPair[]> {
  const valueText = anyText(limits.value);
  return {
    read(value, place) {
      if (!(value instanceof JsonObject)) {
        return place.refuse('INVALID_TYPE', `must be an object of strings; ${kindOf(value)} was sent.`);
      }
      const problemsBefore = place.problems.length;
      const { size } = value.members;
      if (size > limits.pairs) place.refuse('TOO_MANY', `must have at most ${limits.pairs} pairs; ${size} were sent.`);
      const pairs: StringPair[] = [];
      for (const [name, sent] of value.members) {
        const member = place.member(name);
        checkName(name, { most: limits.name, member });
        const text = valueText.read(sent, member);
        if (text !== undefined) pairs.push([name, text]);
      }
      return place.problems.length === problemsBefore ? pairs : undefined;
    },
    toJsonSchema: () => ({
      type: 'object',
      maxProperties: limits.pairs,
      propertyNames: { maxLength: limits.name },
      additionalProperties: valueText.toJsonSchema(),
    }),
  };
}

function checkName(name: string, { most, member }: { most: number; member: Place }): void {
  const flaw = flawIn(name);
  if (flaw !== null) member.refuse('INVALID_VALUE', `must not hold ${flaw} in its name.`);
  else if (isLonger(name, most)) member.refuse('TOO_LONG', `must have a name of at most ${most} characters.`);
}
