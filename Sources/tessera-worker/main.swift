import TesseraExamination
import TesseraWorker

runMainThread { WorkerProcess.run(examiner: LoadingObserver()) }
