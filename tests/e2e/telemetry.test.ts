import { describe } from 'node:test';
import { hatchCanaries } from '../support/canaries.ts';
import { findCanaries, placeCanaries } from './canaries.ts';
import { collectorAway } from './collector-away.ts';
import { telemetryNames } from './telemetry-names.ts';
import { useTelemetryScene } from './telemetry-scene.ts';
import { takeTour } from './telemetry-tour.ts';
import { traces } from './traces.ts';

describe('what a stack tells of itself', () => {
  const scene = useTelemetryScene();
  const canaries = hatchCanaries();
  describe('a collector that fails', () => collectorAway(scene));
  describe('traces', () => traces(scene));
  describe('canaries are put everywhere', () => placeCanaries(scene, canaries));
  describe('a tour', () => takeTour(scene));
  describe('canaries are found', () => findCanaries(scene, canaries));
  describe('names', () => telemetryNames(scene));
});
