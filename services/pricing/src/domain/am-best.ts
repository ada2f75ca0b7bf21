/** AM Best's Financial Strength Ratings, best first. E, F, S and NR are off the scale: they satisfy no minimum. */
const SCALE = ['A++', 'A+', 'A', 'A-', 'B++', 'B+', 'B', 'B-', 'C++', 'C+', 'C', 'C-', 'D'] as const;
const OFF_SCALE = ['E', 'F', 'S', 'NR'] as const;
const STRONGEST_FIRST: readonly string[] = [...SCALE, ...OFF_SCALE];

export type ScaleRating = (typeof SCALE)[number];
export type AmBestRating = ScaleRating | (typeof OFF_SCALE)[number];

export const SCALE_RATINGS: readonly ScaleRating[] = SCALE;
export const AM_BEST_RATINGS: readonly AmBestRating[] = [...SCALE, ...OFF_SCALE];

export function isAmBestRating(text: string): text is AmBestRating {
  return STRONGEST_FIRST.includes(text);
}

export function isScaleRating(rating: string): rating is ScaleRating {
  return SCALE.some((known) => known === rating);
}

/** Whether the first rating is weaker than the second; NR is the weakest of all. */
export function isWeaker(rating: AmBestRating, other: AmBestRating): boolean {
  return STRONGEST_FIRST.indexOf(rating) > STRONGEST_FIRST.indexOf(other);
}

/** The scale from A++ down to `minimum`. */
export function ratingsDownTo(minimum: ScaleRating): readonly ScaleRating[] {
  return SCALE.slice(0, SCALE.indexOf(minimum) + 1);
}
