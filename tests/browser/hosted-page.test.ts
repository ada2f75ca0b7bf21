import { describe } from 'node:test';
import { WITHOUT_CHROMIUM } from '../support/chromium.ts';
import { amounts } from './amounts.ts';
import { everyState } from './every-state.ts';
import { figures } from './figures.ts';
import { names } from './names.ts';
import { useScene } from './scene.ts';
import { using } from './using.ts';
import { walks } from './walks.ts';

describe('the hosted page in a browser', { skip: WITHOUT_CHROMIUM }, () => {
  const scene = useScene();
  describe('the way of the insured', () => walks(scene));
  describe('every state', () => everyState(scene));
  describe('in use', () => using(scene));
  describe('amounts', () => amounts(scene));
  describe('figures', () => figures(scene));
  describe('names', () => names(scene));
});
