import TesseraExamination
import TesseraWorker

Threads.runMain { WorkerProcess.run(examiner: LoadingObserver()) }
