import { answerWith } from '../../thread/answer.ts';
import { answerPacked } from './compute.ts';

answerWith(answerPacked);
